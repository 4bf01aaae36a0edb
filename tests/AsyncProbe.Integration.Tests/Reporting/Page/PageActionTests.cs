using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncProbe.Tests;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>The live page's buttons in a real browser.</summary>
[Trait("Needs", "Chromium")]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class PageActionTests(Browser browser)
{
    [Fact]
    public async Task Pause_StopsAskingAndKeepsTheFigures()
    {
        await using var app = await PageApp.StartAsync(waits: 1);
        await using var page = await browser.OpenAsync(app.Client.BaseAddress!, prepare: PageSession.WithClockAsync);

        await page.Page.ClickAsync("#pause");
        await Expect(page.Page.Locator("#age")).ToHaveTextAsync("paused");
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain", 21);
        await page.Page.EvaluateAsync(
            "() => { window.asked = 0; const own = fetch; window.fetch = (...all) => { asked++; return own(...all); }; }");
        await page.PassAsync(TimeSpan.FromSeconds(5));
        (await page.Page.EvaluateAsync<int>("asked")).ShouldBe(0);
        (await page.ValueAsync("GET /plain", "requests")).ShouldBe("20");

        await page.Page.ClickAsync("#pause");
        await Expect(page.Row("GET /plain").Locator("td[data-field=requests]")).ToHaveTextAsync("21");
        (await page.Page.EvaluateAsync<int>("asked")).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Reset_AsksFirst_ThenStartsAnew()
    {
        await using var app = await PageApp.StartAsync(waits: 1);
        await using var page = await browser.OpenAsync(app.Client.BaseAddress!);

        await page.Page.ClickAsync("#reset");
        await page.Page.ClickAsync("#confirm button[value=cancel]");
        (await app.ReportAsync()).EndpointNames().Length.ShouldBe(3);

        await page.Page.ClickAsync("#reset");
        await page.Page.ClickAsync("#confirm button[value=reset]");
        await Expect(page.Rows).ToHaveCountAsync(0);
        (await app.ReportAsync()).EndpointNames().ShouldBeEmpty();
    }

    [Fact]
    public async Task Copy_PutsTheWholeJsonOnTheClipboard()
    {
        await using var page = await browser.OpenSharedAsync(
            options: new BrowserNewContextOptions { Permissions = ["clipboard-read", "clipboard-write"] });

        // The next report may announce another state of the pool a moment later, so all announcements are kept.
        await page.Page.EvaluateAsync(
            "window.said = []; new MutationObserver(() => said.push(document.getElementById('announce').textContent))"
            + ".observe(document.getElementById('announce'), { childList: true, characterData: true, subtree: true })");
        await page.Page.ClickAsync("#copy");
        await Eventually.TrueAsync(() => page.Page.EvaluateAsync<bool>("said.includes('Copied')"), "The copy is not announced.");

        var text = await page.Page.EvaluateAsync<string>("navigator.clipboard.readText()");
        JsonDocument.Parse(text).RootElement.GetProperty("schema").GetInt32().ShouldBe(1);
    }

    [Fact]
    public async Task Snapshot_IsNotOffered_WithoutTheAddOn()
    {
        await using var page = await browser.OpenSharedAsync();

        // It is hidden until a report arrives.
        await Expect(page.Rows).ToHaveCountAsync(3);
        await Expect(page.Page.Locator("#snapshot")).ToBeHiddenAsync();
    }

    [Fact]
    public async Task Snapshot_SaysWhoSleepsNow_AndAtWhichLine()
    {
        await using var app = await PageApp.StartAsync(
            b =>
            {
                b.Configuration["AsyncProbe:StackSnapshots:Interval"] = "01:00:00";

                // A sampling window at this moment would refuse the user's snapshot with 409.
                b.Configuration["AsyncProbe:StackSnapshots:SampleUnexplained"] = "false";
                b.Services.AddAsyncProbe().AddStackSnapshots();
            },
            a => a.MapGet("/sleep", () => Sleep(a.Lifetime)),
            waits: 1);
        await using var page = await browser.OpenAsync(app.Client.BaseAddress!);
        _ = app.Client.GetAsync(new Uri("/sleep", UriKind.Relative));
        await Expect(page.Page.Locator("#now-table")).ToContainTextAsync("GET /sleep");

        // The watcher takes snapshots too, and another one if the first found nothing. Two within a second are refused.
        await Expect(page.Page.Locator("#probe")).ToContainTextAsync(new Regex(@"\b[1-9]\d* taken"));
        await page.Page.WaitForTimeoutAsync(1100);

        // On a crowded machine a sampler may get no turn in its five milliseconds; a user would press again.
        var answer = page.Page.Locator("#snapshot-answer");
        await Eventually.TrueAsync(
            async () =>
            {
                await page.Page.RunAndWaitForResponseAsync(
                    () => page.Page.GetByRole(AriaRole.Button, new() { Name = "Snapshot" }).ClickAsync(),
                    response => response.Url.EndsWith("/snapshot", StringComparison.Ordinal));
                if (await IsSeenAsync())
                {
                    return true;
                }

                await page.Page.WaitForTimeoutAsync(1100);
                return await IsSeenAsync();
            },
            "no snapshot sees who sleeps");
        await Expect(answer).ToContainTextAsync(" PageActionTests.Sleep (PageActionTests.cs:");
        await Expect(answer).ToContainTextAsync("(Sleep), for ");
        await Expect(page.Page.Locator("#probe")).ToContainTextAsync(new Regex(@"([2-9]|[1-9]\d+) taken"));

        // The answer shows its time, and disappears when it is closed or everything is reset.
        await Expect(answer).ToContainTextAsync(new Regex(@"^Snapshot at \d"));
        await page.Page.GetByRole(AriaRole.Button, new() { Name = "Close" }).ClickAsync();
        await Expect(answer).ToBeHiddenAsync();

        // The watcher may have taken a snapshot in the second before, after one that found nothing. The press is then refused, and the
        // browser logs it.
        page.Errors.Where(
            e => !e.Contains("429 (Too Many Requests)", StringComparison.Ordinal)
                && !e.Contains("409 (Conflict)", StringComparison.Ordinal))
            .ShouldBeEmpty();

        async Task<bool> IsSeenAsync() => (await answer.TextContentAsync())!.Contains("GET /sleep", StringComparison.Ordinal);
    }

    // A session that has expired, for example. The page said that the request did not reach the server.
    [Fact]
    public async Task Snapshot_SaysWithWhichStatusItWasRefused()
    {
        await using var app = await PageApp.StartAsync(b => b.Services.AddAsyncProbe().AddStackSnapshots(), waits: 1);
        await using var page = await browser.OpenAsync(app.Client.BaseAddress!);
        await page.Page.RouteAsync("**/snapshot", route => route.FulfillAsync(new() { Status = 404 }));

        await page.Page.GetByRole(AriaRole.Button, new() { Name = "Snapshot" }).ClickAsync();

        await Expect(page.Page.Locator("#snapshot-answer")).ToContainTextAsync("404");
    }

    // Sleeps until the test is over.
    private static void Sleep(IHostApplicationLifetime lifetime)
    {
        while (!lifetime.ApplicationStopping.IsCancellationRequested)
        {
            Thread.Sleep(200);
        }
    }
}
