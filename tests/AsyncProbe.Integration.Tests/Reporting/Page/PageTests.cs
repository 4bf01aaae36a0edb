using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Requests.Operations;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>The live page in a real browser.</summary>
[Trait("Needs", "Chromium")]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class PageTests(Browser browser)
{
    [Fact]
    public async Task Figures_EqualTheJson()
    {
        var app = await browser.SharedAppAsync();
        await using var page = await browser.OpenSharedAsync();
        await Expect(page.Rows).ToHaveCountAsync(3);

        // The page's report and the test's are a moment apart. In between, the pool may gain or lose a thread, which changes a ceiling.
        List<string> differences = [];
        await Eventually.TrueAsync(
            async () => (differences = await DifferencesAsync(page, await app.ReportAsync())).Count == 0,
            () => string.Join('\n', differences));
    }

    [Fact]
    public async Task Warnings_AreSentencesWithNumbersAndTheSourceLine()
    {
        await using var page = await browser.OpenSharedAsync();

        var warning = page.Page.Locator("#warnings li").Filter(new() { HasText = "holds a pool thread for" })
            .Filter(new() { HasText = "GET /wait" });
        await Expect(warning).ToContainTextAsync("holds a pool thread for");
        await Expect(warning).ToContainTextAsync("(PageApp.cs:");

        // It gives either a bound or a rate and a factor, depending on how much CPU time a request took while other tests ran.
        await Expect(warning).ToContainTextAsync(new Regex("requests a second(, with the |\\s\\(×)"));
    }

    [Fact]
    public async Task Table_Sorts_BothWaysAndSaysSo()
    {
        await using var page = await browser.OpenSharedAsync();
        var header = page.Page.Locator("th[data-column=endpoint]");

        await header.GetByRole(AriaRole.Button).ClickAsync();
        await Expect(header).ToHaveAttributeAsync("aria-sort", "ascending");
        (await page.EndpointsAsync()).ShouldBe(["GET /delay", "GET /plain", "GET /wait"]);

        await header.GetByRole(AriaRole.Button).PressAsync("Enter");
        await Expect(header).ToHaveAttributeAsync("aria-sort", "descending");
        (await page.EndpointsAsync()).ShouldBe(["GET /wait", "GET /plain", "GET /delay"]);

        await page.Page.Locator("th[data-column=requests] button").ClickAsync();
        (await page.EndpointsAsync())[0].ShouldBe("GET /plain");
        (await header.GetAttributeAsync("aria-sort")).ShouldBeNull();
    }

    [Fact]
    public async Task Filter_KeepsWhatMatches_ByRouteOrVerdict()
    {
        var app = await browser.SharedAppAsync();
        await using var page = await browser.OpenSharedAsync();

        await page.Page.FillAsync("#filter", "PLAIN");
        (await page.EndpointsAsync()).ShouldBe(["GET /plain"]);
        await page.Page.FillAsync("#filter", "async will help");
        var helped = (await app.ReportAsync()).GetProperty("endpoints").EnumerateArray()
            .Where(e => e.GetProperty("verdict").GetString() == "asyncWillHelp").Select(e => e.GetProperty("endpoint").GetString()!)
            .ToList();
        helped.ShouldContain("GET /wait");
        (await page.EndpointsAsync()).ShouldBe(helped, ignoreOrder: true);
        await page.Page.FillAsync("#filter", "nothing like it");
        await Expect(page.Page.Locator("#no-endpoints")).ToBeVisibleAsync();
    }

    [Fact]
    public async Task Detail_OpensByKeyboard_WithAdviceAndCallSite_AndStaysOpen()
    {
        await using var app = await PageApp.StartAsync();
        await using var page = await browser.OpenAsync(app.Client.BaseAddress!);
        var toggle = page.Row("GET /wait").GetByRole(AriaRole.Button);

        await toggle.FocusAsync();
        await page.Page.Keyboard.PressAsync("Enter");

        await Expect(toggle).ToHaveAttributeAsync("aria-expanded", "true");
        await Expect(page.Page.Locator("tr.detail .advice")).ToContainTextAsync("await instead");
        var site = page.Page.Locator("tr.detail .site").Filter(new() { HasText = "Task.Wait" });
        await Expect(site).ToHaveCountAsync(1);
        await Expect(site.Locator("code").First).ToContainTextAsync("(PageApp.cs:");

        // New figures arrive while the detail is open; neither the detail nor the focus may disappear.
        await app.GetAsync("/plain");
        await Expect(page.Row("GET /plain").Locator("td[data-field=requests]")).ToHaveTextAsync("21");
        await Expect(page.Page.Locator("tr.detail")).ToHaveCountAsync(1);
        await Expect(toggle).ToBeFocusedAsync();

        await page.Page.Keyboard.PressAsync("Enter");
        await Expect(page.Page.Locator("tr.detail")).ToHaveCountAsync(0);
    }

    [Fact]
    public async Task Charts_ShowTheValueUnderThePointer_AndByKeyboard()
    {
        await using var page = await browser.OpenSharedAsync();
        var chart = page.Page.Locator(".chart.threads");
        await Expect(chart.Locator(".curve")).ToHaveAttributeAsync("d", new System.Text.RegularExpressions.Regex("^M"));

        await chart.Locator("svg").HoverAsync();
        await Expect(chart.Locator("output")).ToContainTextAsync(" at ");

        await page.Page.Locator(".chart.delay svg").FocusAsync();
        await page.Page.Keyboard.PressAsync("ArrowLeft");
        await Expect(page.Page.Locator(".chart.delay output")).ToContainTextAsync(" at ");
        await Expect(page.Page.Locator(".chart.delay svg"))
            .ToHaveAttributeAsync("aria-valuetext", new System.Text.RegularExpressions.Regex("ms at "));
    }

    [Fact]
    public async Task LostServer_IsSaid_WithTheAgeOfTheFigures()
    {
        var app = await PageApp.StartAsync(waits: 1);
        await using var page = await browser.OpenAsync(app.Client.BaseAddress!, prepare: PageSession.WithClockAsync);
        await app.DisposeAsync();
        await page.PassAsync(TimeSpan.FromSeconds(4));

        await Expect(page.Page.Locator("#lost")).ToContainTextAsync("The figures below are from");
        await Expect(page.State).ToContainTextAsync("No answer");
        await Expect(page.Page.Locator("#age")).ToContainTextAsync("old");
        (await page.EndpointsAsync()).Length.ShouldBe(3);
    }

    [Theory]
    [InlineData("/_threadpool")]
    [InlineData("/_threadpool/")]
    [InlineData("/ops/pool")]
    public async Task Page_WorksUnderItsPolicy_WithoutErrors_AndNeverLeavesItsOrigin(string path)
    {
        await using var page = await browser.OpenSharedAsync(path, prepare: PageSession.WithClockAsync);
        await page.Row("GET /wait").ClickAsync();

        // Later reports must not fail either.
        var before = page.RequestCount;
        await Eventually.TrueAsync(
            async () =>
            {
                await page.PassAsync(TimeSpan.FromSeconds(1));
                return page.RequestCount >= before + 2;
            },
            "the page asks for no further reports");
        page.ForeignRequests.ShouldBeEmpty();
        page.Errors.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(1280, ColorScheme.Light)]
    [InlineData(1280, ColorScheme.Dark)]
    [InlineData(360, ColorScheme.Light)]
    public async Task Page_FitsItsWidth(int width, ColorScheme scheme)
    {
        await using var page = await browser.OpenSharedAsync(
            options: new BrowserNewContextOptions { ViewportSize = new() { Width = width, Height = 800 }, ColorScheme = scheme });
        await page.Row("GET /wait").GetByRole(AriaRole.Button).ClickAsync();

        (await page.Page.EvaluateAsync<int>("document.documentElement.scrollWidth")).ShouldBeLessThanOrEqualTo(width);
    }

    [Fact]
    public async Task Operation_IsARow_WithTheFiguresOfTheReport()
    {
        using var source = ActivitySources.CreateUnique();
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/plain", () => "plain"),
            configure: b => b.Services.Configure<AsyncProbeOptions>(o => o.ActivitySources.Add(source.Name)));
        for (var i = 0; i < 3; i++)
        {
            await Work.OnPoolAsync(() =>
            {
                using var activity = source.StartActivity("nightly import");
                Thread.Sleep(20);
            });
        }

        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");
        var name = $"{source.Name}: nightly import";
        var row = await app.OperationAsync(name, 3);
        await using var page = await browser.OpenAsync(app.Address);

        await Expect(page.Rows).ToHaveCountAsync(2);
        await Expect(page.Row(name).Locator("td[data-field=requests]")).ToHaveTextAsync("3");
        foreach (var (field, figure) in new[] { ("held", "heldMs"), ("blocked", "blockedMs") })
        {
            double.Parse((await page.ValueAsync(name, field))!, CultureInfo.InvariantCulture).ShouldBe(row.Ms(figure, "mean"), 0.001);
        }

        page.Errors.ShouldBeEmpty();
    }

    [Fact]
    public async Task Names_AreText_WhateverTheyHold()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/<img src=x onerror=alert(1)>", () => "ok"));
        await app.GetAsync("/%3Cimg%20src=x%20onerror=alert(1)%3E");
        await using var page = await browser.OpenAsync(app.Client.BaseAddress!);

        await Expect(page.Rows).ToHaveCountAsync(1);
        (await page.Page.Locator("img").CountAsync()).ShouldBe(0);
        page.Errors.ShouldBeEmpty();
    }

    private static async Task<List<string>> DifferencesAsync(PageSession page, JsonElement report)
    {
        List<string> differences = [];
        foreach (var row in report.GetProperty("endpoints").EnumerateArray())
        {
            var name = row.GetProperty("endpoint").GetString()!;
            var requests = await page.Row(name).Locator("td[data-field=requests]").TextContentAsync();
            Compare(name, "requests", requests, row.Count("requests").ToString("N0", CultureInfo.InvariantCulture));
            await CompareAsync(name, "held", row.GetProperty("heldMs").GetProperty("mean"));
            await CompareAsync(name, "blocked", row.GetProperty("blockedMs").GetProperty("mean"));
            await CompareAsync(name, "p95", row.GetProperty("durationMs").GetProperty("p95"));
            await CompareAsync(name, "failed", row.GetProperty("failed"));
            if (row.GetProperty("ceilingPerSecond") is { ValueKind: JsonValueKind.Object } ceiling)
            {
                await CompareAsync(name, "now", ceiling.GetProperty("now").GetProperty("high"));
                await CompareAsync(name, "ifAsync", ceiling.GetProperty("ifAsync").GetProperty("high"));
            }
        }

        var state = $"The thread pool is {report.GetProperty("pool").GetProperty("state").GetString()}";
        var shown = await page.State.TextContentAsync();
        Compare("pool", "state", shown?[..Math.Min(shown.Length, state.Length)], state);
        return differences;

        async Task CompareAsync(string endpoint, string field, JsonElement expected)
        {
            var value = double.Parse((await page.ValueAsync(endpoint, field))!, CultureInfo.InvariantCulture);
            Compare(endpoint, field, value, expected.GetDouble());
        }

        void Compare<T>(string endpoint, string field, T shown, T expected)
        {
            if (!Equals(shown, expected))
            {
                differences.Add($"{endpoint} {field}: {shown} is shown, {expected} reported");
            }
        }
    }
}
