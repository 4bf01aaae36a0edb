using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Html;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Cli.Integration.Tests.Views;

/// <summary>The HTML report, opened from disk.</summary>
public sealed class ReportInBrowserTests(ReportBrowser browser) : IClassFixture<ReportBrowser>, IDisposable
{
    private const string Hostile = "<img src=x onerror=alert(1)>\u202e\u001b[2J</script><script>alert(2)</script>";

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public async Task Hostile_IsText_WhenAServerIsMadeToBeObeyed()
    {
        var row = new EndpointSide
        {
            Endpoint = Hostile, Requests = 10, FromCache = 0, HeldMs = new(100, 10, null), CpuMs = new(100, 10, null), CpuWaitMs = new(0, 0, null),
            GcMs = new(0, 0, null), BlockedMs = new(0, 0, null), WorstSite = Hostile, WorstSiteKind = Hostile, Verdict = Hostile,
        };
        var run = Facts.Run(requestsPerSecond: 40, ms: 25) with { Session = Hostile, Server = Facts.Server() with { Endpoints = [row] } };

        var page = await browser.OpenAsync(_folder.Write("a.html", HtmlReport.Create(ResultText.From(run))));

        await Expect(page.Locator(".bars")).ToContainTextAsync("<script>alert(2)</script>");
        await Expect(page.Locator("img")).ToHaveCountAsync(0);
        await Expect(page.Locator(".charts svg").First).ToBeVisibleAsync();
        browser.NoiseOf(page).ShouldBeEmpty();
    }

    [Fact]
    public async Task Bars_AreAsWideAsThePage_OnAPhone()
    {
        var run = Facts.Run(requestsPerSecond: 40, ms: 25, server: Facts.Server(("GET /a", 400, 20)));
        var page = await browser.OpenAsync(_folder.Write("a.html", HtmlReport.Create(ResultText.From(run))));

        await page.SetViewportSizeAsync(380, 800);

        var bar = await page.Locator(".held").BoundingBoxAsync();
        bar!.Width.ShouldBeGreaterThan(300);
    }

    // The line went straight from one failure to the next, over seconds in which nothing failed.
    [Fact]
    public async Task Failures_AreDrawnInTheirSeconds_AndTimesOnlyWhereThereAreSome()
    {
        var run = Facts.Run(requestsPerSecond: 40, ms: 25);
        var seconds = Enumerable.Range(1, 6).Select(at => new SecondFigures
        {
            At = at, WarmingUp = false, RequestsPerSecond = at is 3 or 4 ? 0 : 40, Failed = at is 2 or 6 ? 40 : 0, P50Ms = at is 3 or 4 ? null : 25,
        });
        var page = await browser.OpenAsync(_folder.Write("a.html", HtmlReport.Create(ResultText.From(run with { Seconds = [.. seconds] }))));

        var lines = page.Locator(".charts svg").First.Locator("polyline");
        await Expect(lines).ToHaveCountAsync(2);
        var failed = (await lines.Nth(1).GetAttributeAsync("points"))!.Split(' ').Select(point => point.Split(',')[1]).ToArray();
        failed.Length.ShouldBe(6);
        failed[2].ShouldBe(failed[0]);
        await Expect(page.Locator(".charts svg").Nth(1).Locator("polyline")).ToHaveCountAsync(2);
    }

    public void Dispose() => _folder.Dispose();
}
