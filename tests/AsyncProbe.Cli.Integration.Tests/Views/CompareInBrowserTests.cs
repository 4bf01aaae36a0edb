using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Html;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Cli.Integration.Tests.Views;

/// <summary>The browser compares two reports; the page must show what <c>compare</c> prints for the same runs.</summary>
public sealed class CompareInBrowserTests(ReportBrowser browser) : IClassFixture<ReportBrowser>, IDisposable
{
    private const string Hostile = "<img src=x onerror=alert(1)>\u202e\u001b[2J</script><script>alert(2)</script>";

    private const string NoRun = "x.html holds no run: choose an .html or .json file that asyncprobe run has written.";

    private static readonly (string Content, string Sentence)[] s_badFiles =
    [
        ("just some words", NoRun),
        ("", NoRun),
        ("{ \"kind\": \"observation\", \"schema\": 1 }", NoRun),
        ("{ \"kind\": \"comparison\", \"schema\": 1 }", NoRun),
        ("{ \"kind\": \"run\", \"schema\": 2 }",
            "x.html has another schema than this page, which reads 1: write both with the same version of asyncprobe."),
        ("{ \"kind\": \"run\", \"schema\": 1, \"total\": [] }", "x.html has no figures of a load."),
        ("{ \"kind\": \"run\", \"sch", "x.html is damaged, or no report of asyncprobe."),
        ("<section><script type=\"application/json\" class=\"run\">{ \"kind\": \"ru", "x.html is damaged, or no report of asyncprobe."),
    ];

    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string> Endings => new(".html", ".json");

    [Theory]
    [MemberData(nameof(Endings))]
    public async Task Table_IsThatOfTheCommand(string ending)
    {
        var (before, after) = (Run(40, 25, Rows(1, 400)), Run(400.4, 2.345, Rows(2, 4004)));
        var page = await browser.OpenAsync(Write("before.html", before));
        await PickAsync(page, Write("after" + ending, after));

        var comparison = Compare(before, after);
        await Expect(page.GetByRole(AriaRole.Status)).ToContainTextAsync("after (story) against before (story)");
        (await HeadAsync(page)).ShouldBe(["", "before", "after", "against before", "difference"]);
        (await RowsAsync(page, 0)).Select(row => row[..4]).ShouldBe(ComparisonText.Rows(comparison));
        await Expect(page.Locator("#compare-legend")).ToHaveTextAsync(ComparisonText.Legend(comparison).Split("; ")[0]);
        await Expect(page.Locator("#compare-low")).ToBeVisibleAsync();
        browser.NoiseOf(page).ShouldBeEmpty();
    }

    [Fact]
    public async Task Difference_HasSignAndPercent_AndTurnsWithTheSides()
    {
        var page = await browser.OpenAsync(Write("before.html", Run(40, 25, null)));
        await PickAsync(page, Write("after.html", Run(50, 20, null)));
        (await RowsAsync(page, 0))[0].ShouldBe(["requests a second", "40.0", "50.0", "1.25 × more", "+10.0, +25.0 %"]);
        (await RowsAsync(page, 0))[1].ShouldBe(["mean time, ms", "25.0", "20.0", "1.25 × faster", "−5.00, −20.0 %"]);

        await page.GetByRole(AriaRole.Button, new() { Name = "Swap the two" }).PressAsync("Enter");

        await Expect(page.GetByRole(AriaRole.Status)).ToContainTextAsync("before (story) against after");
        (await RowsAsync(page, 0))[0].ShouldBe(["requests a second", "50.0", "40.0", "1.25 × fewer", "−10.0, −20.0 %"]);
    }

    /// <summary>Random figures of every size: one figure that is rounded differently makes the page and the command disagree.</summary>
    [Fact]
    public async Task Endpoints_HaveTheFiguresVerdictAndLineOfTheReport()
    {
        var (left, right) = (Rows(3, 1000), Rows(4, 1000));
        var page = await browser.OpenAsync(Write("a.html", Run(40, 25, left)));
        await PickAsync(page, Write("b.json", Run(40, 25, right)));
        await Expect(page.Locator("#compare-table h4")).ToHaveCountAsync(left.Count);

        var shown = await page.EvaluateAsync<string[][]>(
            "[...document.querySelectorAll('#compare-table table')].slice(1).map(t => [...t.querySelectorAll('tbody tr')]"
                + ".map(r => [...r.cells].slice(0, 4).map(c => c.textContent).join('|')))");

        for (var i = 0; i < left.Count; i++)
        {
            var (a, b) = (left[i], right[i]);
            string[] expected =
            [
                Line("requests", FigureText.Number(a.Requests), FigureText.Number(b.Requests), Ratio(a.Requests, b.Requests, "fewer")),
                Line("held, ms", a.HeldMs, b.HeldMs), Line("cpu, ms", a.CpuMs, b.CpuMs), Line("blocked, ms", a.BlockedMs, b.BlockedMs),
                Line("verdict", ServerText.Verdict(a), ServerText.Verdict(b), ""),
                .. WorstSiteText.Where(a) + WorstSiteText.Where(b) == ""
                    ? Array.Empty<string>()
                    : [Line("blocked at", WorstSiteText.Where(a), WorstSiteText.Where(b), "")],
            ];
            shown[i].ShouldBe(expected, a.Endpoint);
        }
    }

    [Fact]
    public async Task Run_IsChosen_WhenAReportHasSeveral()
    {
        var comparison = ComparisonBuilder.Build(
            [("sync", [Run(10, 20, null)]), ("async", [Run(80, 20, null)])], [], freshServer: false, interrupted: false);
        var page = await browser.OpenAsync(Write("a.html", Run(40, 25, null)));
        await PickAsync(page, _folder.Write("b.html", HtmlReport.Create(comparison)));
        (await RowsAsync(page, 0))[0][2].ShouldBe("10.0");

        await page.GetByLabel("Run of b").SelectOptionAsync(new SelectOptionValue { Label = "async" });

        await Expect(page.GetByRole(AriaRole.Status)).ToContainTextAsync("b (async) against a (story)");
        (await RowsAsync(page, 0))[0][2].ShouldBe("80.0");
    }

    [Fact]
    public async Task Bad_GetsOneSentence_AndLeavesNoTable()
    {
        var page = await browser.OpenAsync(Write("a.html", Run(40, 25, null)));
        foreach (var (content, sentence) in s_badFiles)
        {
            await PickAsync(page, Write("b.html", Run(50, 25, null)));
            await Expect(page.Locator("#compare-table table")).ToHaveCountAsync(1);

            await PickAsync(page, _folder.Write("x.html", content));

            await Expect(page.GetByRole(AriaRole.Status)).ToHaveTextAsync(sentence);
            await Expect(page.Locator("#compare-table table")).ToHaveCountAsync(0);
        }

        browser.NoiseOf(page).ShouldBeEmpty();
    }

    /// <summary>Shows any content as text, and figures that aren't numbers as not available.</summary>
    [Fact]
    public async Task Hostile_IsText_WhenAFileIsMadeToBeObeyed()
    {
        var run = Run(40, 25, null) with { Session = Hostile };
        var row = Rows(5, 10)[0] with
        {
            Endpoint = Hostile, WorstSite = Hostile, WorstSiteKind = Hostile, WorstSiteIs = SiteCoverage.Fully,
        };
        var hostile = run with { Server = run.Server with { Status = ServerStatus.Joined, Endpoints = [row] } };
        var page = await browser.OpenAsync(Write("a.html", Run(40, 25, null)));
        var json = ResultText.From(hostile).Json().Replace("\"meanMs\": 25", "\"meanMs\": { \"toString\": 1 }", StringComparison.Ordinal)
            .Replace("\\u003c", "<", StringComparison.Ordinal);
        await PickAsync(page, _folder.Write("b.json", json));
        await Expect(page.GetByRole(AriaRole.Status)).ToContainTextAsync("<img src=x");
        (await RowsAsync(page, 0))[1][..3].ShouldBe(["mean time, ms", "25.0", "n/a"]);
        await Expect(page.Locator("#compare-table h4")).ToContainTextAsync("<script>alert(2)</script>");

        await PickAsync(page, _folder.Write("c.html", Hostile + "<script>alert(3)</script>" + HtmlReport.Create([hostile], Hostile, null)));
        await Expect(page.GetByRole(AriaRole.Status)).ToContainTextAsync("c (");

        await Expect(page.Locator("#compare img, #compare script")).ToHaveCountAsync(0);
        // The page's policy forbids a handler even in the parsed document, where it couldn't run anyway.
        browser.NoiseOf(page).ShouldAllBe(noise => noise.EndsWith("The action has been blocked.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Dropped_IsReadToo()
    {
        var page = await browser.OpenAsync(Write("a.html", Run(40, 25, null)));
        var transfer = await page.EvaluateHandleAsync(
            "text => { const all = new DataTransfer(); all.items.add(new File([text], 'b.json')); return all; }",
            ResultText.From(Run(50, 25, null)).Json());

        await page.DispatchEventAsync("h1", "drop", new { dataTransfer = transfer });

        await Expect(page.GetByRole(AriaRole.Status)).ToContainTextAsync("b (story) against a");
        (await RowsAsync(page, 0))[0][2].ShouldBe("50.0");
    }

    public void Dispose() => _folder.Dispose();

    private static ComparisonResult Compare(RunResult before, RunResult after) =>
        ComparisonBuilder.Build([("before", [before]), ("after", [after])], [], freshServer: false, interrupted: false);

    private static RunResult Run(double requestsPerSecond, double ms, IReadOnlyList<EndpointSide>? rows) =>
        Facts.Run(requestsPerSecond, ms) with
        {
            Server = rows is null
                ? ServerSide.Without(ServerStatus.Off, null)
                : Facts.Server() with { Endpoints = rows, PoolThreadsMax = rows.Count, QueueDelayMaxMs = rows[0].HeldMs.Mean },
        };

    private static IReadOnlyList<EndpointSide> Rows(int seed, long requests)
    {
        var random = new Random(seed);
        string?[] verdicts = ["asyncWillHelp", "cpuBound", "notEnoughData", null, "fine", "somethingNew"];
        SiteCoverage?[] coverages = [null, SiteCoverage.Fully, SiteCoverage.Partly, SiteCoverage.Sampled, SiteCoverage.Earlier];
        return
        [
            .. Enumerable.Range(0, 120).Select(i => new EndpointSide
            {
                Endpoint = $"GET /{i}", Requests = i % 7 == 0 ? i : requests + i, FromCache = i % 5, HeldMs = Time(), CpuMs = Time(),
                BlockedMs = i % 11 == 0 ? new(null, null, null) : Time(), CpuWaitMs = Time(), GcMs = Time(),
                WorstSite = "Orders.Load (Orders.cs:42)", WorstSiteKind = "Task.Wait", WorstSiteIs = Any(coverages),
                WorstSiteMs = i % 3 == 0 ? null : Ms(), LookedAt = i % 2 == 0, Verdict = Any(verdicts),
            }),
        ];

        T Any<T>(T[] all) => all[random.Next(all.Length)];
        TimeSums Time() => Ms() is var ms ? new(ms * 10, ms, null) : null!;
        // Many of them end in 5 or are half a unit, where roundings differ.
        double Ms() => random.Next(4) == 0 ? random.Next(2000) / 2.0 : Math.Round(Math.Pow(10, (random.NextDouble() * 6) - 2), 3);
    }

    private static string Line(params string[] cells) => string.Join('|', cells);

    private static string Line(string name, TimeSums a, TimeSums b) =>
        Line(name, FigureText.Ms(a.Mean), FigureText.Ms(b.Mean), Ratio(a.Mean, b.Mean, "less"));

    private static string Ratio(double? a, double? b, string less) =>
        a is null or 0 || b is null ? "" : RatioText.Describe(b.Value / a.Value, null, null, "more", less);

    private static async Task PickAsync(IPage page, string file)
    {
        if (!await page.Locator("#other").IsVisibleAsync())
        {
            await page.GetByText("Compare with another report").PressAsync("Enter");
        }

        await page.GetByLabel("An .html or .json file").SetInputFilesAsync(file);
        await Expect(page.GetByRole(AriaRole.Status)).ToContainTextAsync(Path.GetFileNameWithoutExtension(file));
    }

    private static async Task<string[]> HeadAsync(IPage page) =>
        await page.EvaluateAsync<string[]>("[...document.querySelector('#compare-table thead tr').cells].map(c => c.textContent)");

    private static async Task<string[][]> RowsAsync(IPage page, int table) => await page.EvaluateAsync<string[][]>(
        "i => [...document.querySelectorAll('#compare-table table')[i].querySelectorAll('tbody tr')]"
            + ".map(r => [...r.cells].map(c => c.textContent))",
        table);

    private string Write(string name, RunResult run) =>
        _folder.Write(name, name.EndsWith(".json", StringComparison.Ordinal) ? ResultText.From(run).Json() : ResultText.From(run).Html());
}
