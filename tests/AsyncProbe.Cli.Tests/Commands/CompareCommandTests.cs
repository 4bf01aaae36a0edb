namespace AsyncProbe.Cli.Tests.Commands;

[SideBySide]
public class CompareCommandTests
{
    [Fact]
    public async Task Compare_InterleavesRoundsAndOrdersTheSessions()
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync(
            "compare", server.Url + "/delay/50", server.Url + "/plain", "-t", "2", "-s", "1", "-w", "0", "--rounds", "3", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var paths = server.Requests.Where(request => request.PathAndQuery != "/_threadpool").Select(request => request.PathAndQuery)
            .ToList();
        var turns = paths.Where((path, i) => i == 0 || paths[i - 1] != path);
        turns.ShouldBe(["/delay/50", "/plain", "/delay/50", "/plain", "/delay/50", "/plain"]);
        var plain = tool.Json["sessions"]![1]!["figures"]![0]!;
        ((string)plain["name"]!).ShouldBe("requests a second");
        ((double)plain["ratioLow"]!).ShouldBeGreaterThan(1);
        ((double)plain["ratio"]!).ShouldBeInRange((double)plain["ratioLow"]! * 0.5, (double)plain["ratioHigh"]! * 2);
        ((bool)plain["shown"]!).ShouldBeTrue();
        ((string)tool.Json["conclusion"]!).ShouldContain("× more");
    }

    [Fact]
    public async Task Compare_JudgesThresholdsOnEverySession()
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync(
            "compare", server.Url + "/plain", server.Url + "/delay/50", "--requests", "20", "-w", "0", "--rounds", "1", "--threshold",
            "min<40");

        tool.ExitCode.ShouldBe(99);
        tool.Results.ShouldContain("✓");
        tool.Results.ShouldContain("✗");
    }

    [Fact]
    public async Task Compare_WarnsOfAPoolThatGrewMeanwhile()
    {
        await using var server = await TestServer.StartAsync();
        // One more thread at every poll.
        server.Report.IsThere = true;

        var tool = await Tool.RunAsync(
            "compare", server.Url + "/plain", server.Url + "/plain", "--requests", "20", "-w", "0", "--rounds", "4");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldContain("grew from 5 to ");
        tool.Results.ShouldContain("--server");
    }

    [Theory]
    [InlineData(0, "×0")]
    [InlineData(0.00001, "÷>1,000")]
    [InlineData(0.01, "÷100")]
    [InlineData(0.25, "×0.25")]
    [InlineData(7.31, "×7.31")]
    [InlineData(2471.3, "×2,471")]
    public void Ratio_IsReadAtAGlance(double ratio, string text) => AsyncProbe.Cli.Statistics.FigureText.Times(ratio).ShouldBe(text);

    [Fact]
    public async Task Compare_TakesSavedRuns()
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var (slow, fast) = (folder.File("slow.json"), folder.File("fast.json"));
        (await Tool.RunAsync("run", server.Url + "/delay/200", "--requests", "20", "-w", "0", "--save", slow)).ExitCode.ShouldBe(0);
        (await Tool.RunAsync("run", server.Url + "/plain", "--requests", "20", "-w", "0", "--save", fast)).ExitCode.ShouldBe(0);

        var tool = await Tool.RunAsync("compare", slow, fast);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldContain("Requests a second: slow");
        tool.Results.ShouldContain("a single round");
    }

    [Theory]
    [InlineData("p(97)<60000", 2)]
    [InlineData("fromsend.p(99.99)<60000", 2)]
    [InlineData("p(99.9)<60000", 0)]
    [InlineData("med<60000", 0)]
    public async Task Compare_RefusesAPercentile_ThatSavedRunsDoNotHave(string threshold, int exitCode)
    {
        await using var server = await TestServer.StartAsync();
        using var folder = new TemporaryFolder();
        var saved = folder.File("a.json");
        (await Tool.RunAsync("run", server.Url + "/plain", "--requests", "20", "-w", "0", "--save", saved)).ExitCode.ShouldBe(0);

        var tool = await Tool.RunAsync("compare", saved, saved, "--threshold", threshold);

        tool.ExitCode.ShouldBe(exitCode, tool.Messages);
        tool.Messages.Contains("50, 75, 90, 95, 99, 99.9", StringComparison.Ordinal).ShouldBe(exitCode == 2, tool.Messages);
    }

    [Fact]
    public async Task Compare_NamesWhatItFound_WhenTheFileIsAnotherResult()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        using var folder = new TemporaryFolder();
        var (run, comparison, sweep, state) =
            (folder.File("run.json"), folder.File("comparison.json"), folder.File("sweep.json"), folder.File("state.json"));
        (await Tool.RunAsync("run", server.Url + "/plain", "--requests", "20", "-w", "0", "--save", run)).ExitCode.ShouldBe(0);
        (await Tool.RunAsync("compare", run, run, "--save", comparison)).ExitCode.ShouldBe(0);
        (await Tool.RunAsync("run", server.Url + "/plain", "--rate", "20,40", "-s", "1", "-w", "0", "--save", sweep)).ExitCode.ShouldBe(0);
        (await Tool.RunAsync("report", server.Url, "-o", state)).ExitCode.ShouldBe(0);

        foreach (var (file, kind) in ((string, string)[])[(comparison, "comparison"), (sweep, "sweep"), (state, "state")])
        {
            var tool = await Tool.RunAsync("compare", run, file);

            tool.ExitCode.ShouldBe(2);
            tool.Messages.ShouldContain($"{file} holds a {kind}");
        }
    }

    [Fact]
    public async Task Compare_ExitsWith2NamingFileAndLine_WhenASavedRunIsBroken()
    {
        using var folder = new TemporaryFolder();
        var broken = folder.Write("broken.json", "{\n  \"schema\": ]\n");

        var tool = await Tool.RunAsync("compare", broken, broken);

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("broken.json(2)");
    }

    [Theory]
    [InlineData("""{ "kind": "\ud800" }""")]
    [InlineData("""{ "kind": 1, "schema": 1 }""")]
    [InlineData("""{ "kind": "run", "schema": 2 }""")]
    [InlineData("""{ "kind": "run", "schema": 1 }""")]
    [InlineData("[]")]
    public async Task Compare_ExitsWith2_WhenTheFileIsNotASavedRun(string content)
    {
        using var folder = new TemporaryFolder();
        var file = folder.Write("other.json", content);

        var tool = await Tool.RunAsync("compare", file, file);

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("not a saved run");
    }

    [Fact]
    public async Task Compare_ExitsWith3AndShowsTheServersLastLines_WhenItDoesNotStart()
    {
        using var nobody = new RefusingPort();

        var tool = await Tool.RunAsync("compare", nobody.Url + "/a", nobody.Url + "/b", "--server", "echo no luck today; false");

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("ended with code");
    }

    [Fact]
    public async Task Compare_Refuses_WhenTheServerToStartIsThereAlready()
    {
        await using var server = await TestServer.StartAsync();

        var tool = await Tool.RunAsync("compare", server.Url + "/plain", server.Url + "/plain", "--server", "sleep 60");

        tool.ExitCode.ShouldBe(3);
        tool.Messages.ShouldContain("listens");
    }
}
