using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Tests.Commands;

/// <summary>Every figure in a run's results is the run's own, and the same in every form.</summary>
[SideBySide]
public class RunFiguresTests
{
    // Matches whole numbers only: a time of the run may well be 19.111 ms.
    private const string OfTheServersLife = @"(?<![\d.,])(81,?573|17,?911|18,?322|19,?111)(?!\d|[.,]\d)|Await the call";

    /// <summary>The server was slow for a thousand requests before the run: its ceiling, verdict and means describe those.</summary>
    [Fact]
    public async Task Figures_AreTheRunsAndEqual_WhereverTheyStand()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.HeldBefore = 81_573;
        server.Report.Counts = () => server.Count;
        using var folder = new TemporaryFolder();
        string[] files = [folder.File("r.html"), folder.File("r.md"), folder.File("r.json")];

        var tool = await Tool.RunAsync(
            ["run", server.Url + "/delay/20", "-t", "4", "-s", "2", "-w", "1", .. files.SelectMany(file => new[] { "-o", file })]);

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var (html, markdown) = (Words(File.ReadAllText(files[0]).Split("<script>")[0]), File.ReadAllText(files[1]));
        var json = System.Text.Json.Nodes.JsonNode.Parse(File.ReadAllText(files[2]))!;
        var row = json["server"]!["endpoints"]![0]!;
        foreach (var text in (string[])[tool.Results, html, markdown, json.ToJsonString()])
        {
            // The server's figures since it started: its means, ceilings and advice.
            text.ShouldNotMatch(OfTheServersLife);
            text.ShouldMatch("for 200 ms, .* 198 ms of that");
        }

        ((double)row["heldMs"]!["mean"]!).ShouldBe(200);
        ((double)row["blockedMs"]!["mean"]!).ShouldBe(198);
        // The only rate is the client's. The only ceiling comes from the row's own figures.
        var total = (double)json["total"]!["requestsPerSecond"]!;
        ((double)row["reachedPerSecond"]!).ShouldBe(total, 0.01);
        var rate = AsyncProbe.Cli.Statistics.FigureText.Rate(total);
        var cells = Cells(tool.Results, "GET /plain");
        cells[2].ShouldBe("200");
        cells[6].ShouldBe("198");
        cells[8].ShouldBe(rate);
        Cells(tool.Results, "/delay/20")[3].ShouldBe(rate);
        cells[1].ShouldBe(((long)row["requests"]!).ToString("N0", CultureInfo.InvariantCulture));
        foreach (var text in (string[])[tool.Results, html, markdown.Replace("\\", "", StringComparison.Ordinal)])
        {
            text.ShouldMatch("from 96 .* 1,000 requests");
            text.ShouldContain(rate);
            text.ShouldContain("async will help");
        }
    }

    [Fact]
    public async Task Compare_TellsTheSameFigures_AsItsTable()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.HeldBefore = 81_573;
        server.Report.Counts = () => server.Count;

        var tool = await Tool.RunAsync(
            "compare", server.Url + "/delay/20", server.Url + "/delay/10", "-t", "2", "-s", "1", "-w", "0", "--rounds", "1");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldNotMatch(OfTheServersLife);
        var reached = Regex.Matches(tool.Results, @"a second, reached ([\d.,]+)\.").Select(match => match.Groups[1].Value).ToList();
        var table = Regex.Match(tool.Results, @"requests a second +([\d.,]+) +([\d.,]+) ");
        reached.ShouldBe([table.Groups[1].Value, table.Groups[2].Value]);
        Regex.Count(tool.Results, "held a thread for 200 ms a request").ShouldBe(2);
    }

    [Fact]
    public async Task Counts_ThatDisagree_AreExplained()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.RequestsPerPoll = 100_000;

        var tool = await Tool.RunAsync("run", server.Url + "/delay/20", "-s", "1", "-w", "0");

        tool.Results.ShouldMatch(@"counted \d00,000 requests, .* \d+ answers: ");
    }

    [Fact]
    public async Task Counts_BeginBeforeTheMeasuredTime_WhereThatIsNearer()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Counts = () => server.Count;
        server.Report.Instead = async (_, poll) =>
        {
            while (poll == 2 && server.Count < 60)
            {
                await Task.Delay(10);
            }

            return false;
        };

        var tool = await Tool.RunAsync("run", server.Url + "/delay/20", "-t", "2", "--requests", "200", "-w", "0", "--json");

        tool.Json["server"]!["endpoints"]!.AsArray().Sum(row => (long)row!["requests"]!).ShouldBeGreaterThanOrEqualTo(200);
        ((double)tool.Json["server"]!["countsBeginAfterMs"]!).ShouldBe(0);
        ((bool)tool.Json["server"]!["countsHoldWarmup"]!).ShouldBeFalse("there is none");
    }

    [Fact]
    public async Task Counts_ThatWereReset_AreThoseSinceThen()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Counts = () => server.Report.Polls < 3 ? 5000 : 7;

        var tool = await Tool.RunAsync("run", server.Url + "/delay/20", "-s", "2", "-w", "0", "--json");

        tool.Json["server"]!["findings"]!.ToJsonString().ShouldContain("were reset");
        tool.Json["server"]!["findings"]!.ToJsonString().ShouldNotContain("another process");

        // Four minutes before the run, the pool had 900 threads, and work waited 9 s for one.
        ((double)tool.Json["server"]!["poolThreadsMax"]!).ShouldBe(21);
        ((double)tool.Json["server"]!["queueDelayMaxMs"]!).ShouldBe(321);
        ((long)tool.Json["server"]!["endpoints"]!.AsArray().Single(
            row => (string)row!["endpoint"]! == "GET /plain")!["requests"]!).ShouldBe(1007);
    }

    [Theory]
    [InlineData("providerIsSynchronous", "provider is synchronous", "await doesn't free")]
    [InlineData("madeOfCheese", "made of cheese", "")]
    public async Task Verdict_IsInWords_KnownOrNot(string verdict, string words, string advice)
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Verdict = verdict;
        using var folder = new TemporaryFolder();
        string[] files = [folder.File("r.html"), folder.File("r.md"), folder.File("r.json")];

        var tool = await Tool.RunAsync(
            ["run", server.Url + "/plain", "-s", "1", "-w", "0", .. files.SelectMany(file => new[] { "-o", file })]);
        var report = await Tool.RunAsync("report", server.Url);

        foreach (var text in (string[])[tool.Results, File.ReadAllText(files[0]), File.ReadAllText(files[1])])
        {
            text.ShouldContain(words);
            text.ShouldContain(advice);
            text.ShouldNotContain("Awaiting it would raise");
        }

        report.Results.ShouldContain(words);
        File.ReadAllText(files[2]).ShouldContain($"\"verdict\": \"{verdict}\"");
    }

    /// <summary>Where only some requests are watched, a site's count says so in every form.</summary>
    [Fact]
    public async Task PartialFigures_AreMarked_WhereverTheyStand()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        server.Report.Detection = "whenBlocking";
        server.Report.SitesSeen = 0.1;
        using var folder = new TemporaryFolder();
        string[] files = [folder.File("r.html"), folder.File("r.md"), folder.File("r.json")];

        var tool = await Tool.RunAsync(
            ["run", server.Url + "/plain", "-s", "1", "-w", "0", .. files.SelectMany(file => new[] { "-o", file })]);
        var report = await Tool.RunAsync("report", server.Url);

        tool.Results.ShouldContain(" at Orders.Load (Orders.cs:42) ");
        tool.Results.ShouldContain("(in part)");
        File.ReadAllText(files[0]).ShouldContain("that were watched");
        File.ReadAllText(files[1]).ShouldContain("(in part)");
        var json = System.Text.Json.Nodes.JsonNode.Parse(File.ReadAllText(files[2]))!["server"]!;
        ((string)json["endpoints"]![0]!["worstSiteIs"]!).ShouldBe("partly");
        ((bool)json["sites"]![0]!["partial"]!).ShouldBeTrue();
        report.Results.ShouldContain("that were watched");
    }

    [Fact]
    public async Task HeldNow_IsOneRowAnEndpoint_WithThePlacesThatAreKnown()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;

        var report = await Tool.RunAsync("report", server.Url);

        report.Results.ShouldMatch(@"3 × GET /plain, .* 120 ms .* Orders\.Load \(1\)");
        Regex.Count(report.Results, "held up to").ShouldBe(1);
    }

    private static string[] Cells(string text, string row) =>

        [
            row,
            .. text.Split('\n').First(line => Regex.IsMatch(line, Regex.Escape(row) + @" +\d")).Split(row)[1]
                .Split(' ', StringSplitOptions.RemoveEmptyEntries),
        ];

    private static string Words(string html) => System.Net.WebUtility.HtmlDecode(Regex.Replace(html, "<[^>]*>", ""));
}
