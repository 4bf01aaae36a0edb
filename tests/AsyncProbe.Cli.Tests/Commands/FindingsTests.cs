using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>Reports what blocked at the line where it did, for reviewers and editors.</summary>
public class FindingsTests
{
    [Fact]
    public async Task Run_AnnotatesAndWritesSarif_WithPathsOfTheRepository()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var repository = new TemporaryFolder();
        Directory.CreateDirectory(repository.File(".git"));
        Directory.CreateDirectory(repository.File("app/src"));
        var (saved, sarif, stateSarif) = (repository.File("saved.json"), repository.File("findings.sarif"), repository.File("state.sarif"));
        // The test server reports this file name.
        repository.Write("app/src/Orders.cs", "");
        string[] options = ["--annotate", "github", "--sources", repository.File("app")];

        var run = await Tool.RunAsync(
            ["run", server.Url + "/plain", "--requests", "20", "-w", "0", "--save", saved, "-o", sarif, .. options]);
        var json = await Tool.RunAsync(["run", server.Url + "/plain", "--requests", "20", "-w", "0", "--json", .. options]);
        var report = await Tool.RunAsync(["report", server.Url, "-o", stateSarif, .. options]);
        var compared = await Tool.RunAsync(["compare", saved, saved, "--baseline", saved, .. options]);

        const string annotation = " file=app/src/Orders.cs,line=42,title=Orders.Load blocks (Task.Wait)::GET /plain ";
        run.ExitCode.ShouldBe(0, run.Messages);
        run.Results.Split('\n').ShouldContain(line => line.StartsWith("::warning" + annotation, StringComparison.Ordinal));
        Uri(sarif).ShouldBe("app/src/Orders.cs");
        // With --json, stdout contains only JSON.
        ((int)json.Json["schema"]!).ShouldBe(1);
        json.Messages.ShouldContain("::warning" + annotation);
        report.Results.ShouldContain("::warning" + annotation);
        Uri(stateSarif).ShouldBe("app/src/Orders.cs");
        compared.Results.ShouldContain("::notice" + annotation);
    }

    [Fact]
    public async Task Run_SaysThatASourceIsNotThere_AndShowsTheServersPath()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();

        var tool = await Tool.RunAsync("report", server.Url, "--annotate", "github", "--sources", folder.File("."));

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Messages.ShouldContain(" src/Orders.cs.");
        tool.Results.ShouldContain("::warning file=src/Orders.cs,line=42");
    }

    private static string Uri(string file) =>
        (string)JsonNode.Parse(
            File.ReadAllText(file))!["runs"]![0]!["results"]![0]!["locations"]![0]!["physicalLocation"]!["artifactLocation"]!["uri"]!;
}
