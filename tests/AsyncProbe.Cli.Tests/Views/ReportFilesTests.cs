using System.Xml.Linq;

namespace AsyncProbe.Cli.Tests.Views;

[SideBySide]
public class ReportFilesTests
{
    [Fact]
    public async Task Files_AreWrittenInTheFormOfTheirEnding()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();
        string[] files = [folder.File("r.html"), folder.File("r.md"), folder.File("r.xml"), folder.File("r.json")];

        var tool = await Tool.RunAsync(
            ["run", server.Url + "/plain?q=</script>", "-s", "2", "-w", "0", "--threshold", "p(95)<5000", "--threshold", "rps<0",
                .. files.SelectMany(file => new[] { "-o", file })]);

        tool.ExitCode.ShouldBe(99, tool.Messages);
        var html = File.ReadAllText(files[0]);
        html.ShouldContain("Orders.Load (Orders.cs:42)");
        // Nothing is fetched, and no external text can end a script.
        html.ShouldNotContain("<link");
        html.ShouldNotContain(" src=");
        System.Text.RegularExpressions.Regex.Count(html, "</script>").ShouldBe(2);
        File.ReadAllText(files[1]).ShouldContain("| p(95)&lt;5000 |");
        var junit = XDocument.Parse(File.ReadAllText(files[2])).Root!.Element("testsuite")!;
        ((int)junit.Attribute("failures")!).ShouldBe(1);
        System.Text.Json.Nodes.JsonNode.Parse(File.ReadAllText(files[3]))!["schema"]!.GetValue<int>().ShouldBe(1);
    }

    [Fact]
    public async Task ComparisonAndSweep_AreWrittenToo()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var (comparison, sweep) = (folder.File("c.html"), folder.File("s.md"));

        await Tool.RunAsync(
            "compare", server.Url + "/plain", server.Url + "/delay/20", "--requests", "20", "-w", "0", "--rounds", "2", "-o", comparison);
        var swept = await Tool.RunAsync("run", server.Url + "/plain", "--rate", "1,1.5", "-s", "2", "-w", "0", "-o", sweep);

        File.ReadAllText(comparison).ShouldContain("median of rounds");

        // Whether the server kept up depends on how busy the machine is. The file and the terminal say the same of it.
        var conclusion = swept.Results.Split('\n').Single(line => line.Contains("/plain kept up") || line.Contains("/plain fell behind"));
        File.ReadAllText(sweep).Replace("\\", "", StringComparison.Ordinal).ShouldContain(conclusion.Trim());

        // With two requests every percentile is thin, and says so.
        File.ReadAllText(sweep).ShouldContain("\\* fewer than ten ");
    }
}
