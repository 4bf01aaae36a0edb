using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>A build that fails when a new call site blocks.</summary>
[SideBySide]
public class BaselineTests
{
    private const string NoneNew = "sites.new==0";

    [Fact]
    public async Task Run_Ends99AndNamesTheSite_WhenItIsNew()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();
        var (saved, run, markdown) = (folder.File("saved.json"), server.Url + "/plain", folder.File("r.md"));
        (await Tool.RunAsync("run", run, "--requests", "20", "-w", "0", "--save", saved)).ExitCode.ShouldBe(0);

        var same = await Tool.RunAsync("run", run, "--requests", "20", "-w", "0", "--baseline", saved, "--threshold", NoneNew);
        server.Report.Mark = "Slowly";
        var other = await Tool.RunAsync(
            "run", run, "--requests", "20", "-w", "0", "--baseline", saved, "--threshold", NoneNew, "-o", markdown);
        var compared = await Tool.RunAsync(
            "compare", run, run, "--requests", "20", "-w", "0", "--rounds", "1", "--baseline", saved, "--threshold", NoneNew);
        var observed = await Tool.RunAsync("observe", server.Url, "-s", "1", "--baseline", saved, "--threshold", NoneNew, "--json");

        same.ExitCode.ShouldBe(0, same.Messages);
        same.Results.ShouldContain("✓ sites.new==0  0 new");
        other.ExitCode.ShouldBe(99, other.Messages);
        other.Results.ShouldMatch(@"New since .*Orders\.LoadSlowly \(Orders\.cs:42\) .*GET /plainSlowly");
        File.ReadAllText(markdown).ShouldContain("New since the baseline: Orders.LoadSlowly");
        compared.ExitCode.ShouldBe(99, compared.Messages);
        compared.Results.ShouldContain("New since the baseline: Orders.LoadSlowly");
        observed.ExitCode.ShouldBe(99, observed.Messages);
        ((string)observed.Json["findings"]!.AsArray().Single(
            finding => ((string)finding!).Contains("New since", StringComparison.Ordinal))!).ShouldContain("Orders.LoadSlowly");
    }

    [Fact]
    public async Task Report_ComparesItselfWithWhatItSavedBefore()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();
        var saved = folder.File("saved.json");
        (await Tool.RunAsync("report", server.Url, "-o", saved)).ExitCode.ShouldBe(0);

        var same = await Tool.RunAsync("report", server.Url, "--baseline", saved, "--threshold", NoneNew);
        server.Report.Mark = "Slowly";
        var other = await Tool.RunAsync("report", server.Url, "--baseline", saved, "--threshold", NoneNew);

        ((string)JsonNode.Parse(File.ReadAllText(saved))!["knownSites"]![0]!["method"]!).ShouldBe("Orders.Load");
        same.ExitCode.ShouldBe(0, same.Messages);
        other.ExitCode.ShouldBe(99, other.Messages);
        other.Results.ShouldContain("New since the baseline: Orders.LoadSlowly");
        other.Messages.ShouldContain("Threshold not met: sites.new==0");
    }

    [Fact]
    public async Task Run_Ends4_WhenTheServerGivesNoSites()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var saved = folder.Write("saved.json", """{ "schema": 1, "pool": {}, "sites": [] }""");

        (await Tool.RunAsync("run", server.Url + "/plain", "--once", "--baseline", saved, "--threshold", NoneNew)).ExitCode.ShouldBe(4);
    }

    [Fact]
    public async Task Baseline_IsNamedWithItsLine_WhenItIsNotJson()
    {
        using var folder = new TemporaryFolder();

        var tool = await Tool.RunAsync("run", "http://127.0.0.1:1/", "--baseline", folder.Write("broken.json", "{\n ]"));

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("broken.json(2): error: ");
    }
}
