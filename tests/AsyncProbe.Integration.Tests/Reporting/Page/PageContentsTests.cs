using System.Text.Json.Nodes;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>Shows made-up reports, which a small app can't produce, in a real browser.</summary>
[Trait("Needs", "Chromium")]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class PageContentsTests(Browser browser)
{
    [Fact]
    public async Task Scale_GrowsForLongDelays_AndShortOnesStayLow()
    {
        await using var shortOnes = await OpenAsync(r => Second(r)["queueDelayMs"] = 0.3);
        await using var longOnes = await OpenAsync(r => Second(r)["queueDelayMs"] = 13_000);

        // Both charts have the same scale with its units, and only one curve gets near the top.
        var labels = shortOnes.Page.Locator(".chart.delay .scale span");
        (await labels.AllTextContentsAsync()).Select(l => l.Replace('\u00a0', ' ')).ShouldBe(["1 ms", "10 ms", "100 ms", "1 s", "10 s"]);
        (await longOnes.Page.Locator(".chart.delay .scale span").AllTextContentsAsync()).ShouldBe(await labels.AllTextContentsAsync());
        (await LastHeightAsync(shortOnes, "delay")).ShouldBeLessThan(0.15);
        (await LastHeightAsync(longOnes, "delay")).ShouldBeGreaterThan(0.8);
    }

    [Fact]
    public async Task Headline_GivesOneDelay_EvenIfThePresentOneIsLongerThanTheLastSecondsLongest()
    {
        await using var page = await OpenAsync(r => (r["pool"]!["queueDelayMs"], r["pool"]!["queueDelayMaxMs"]) = (24, 17));

        await Expect(page.State).ToContainTextAsync(" 24 ms ");
    }

    [Fact]
    public async Task Warning_NamesTheAddOnOnce_WhenTheAdviceAlreadyDoes()
    {
        await using var page = await OpenAsync(r =>
        {
            r["sites"] = new JsonArray();
            var endpoint = r["endpoints"]!.AsArray().Single(e => (string)e!["endpoint"]! == "GET /wait")!;
            (endpoint["verdict"], endpoint["explained"], endpoint["advice"]) = ("asyncWillHelp", 0, "Add AsyncProbe.StackSnapshots.");
        });

        await Expect(page.Page.Locator("#warnings li").Filter(new() { HasText = "GET /wait" }))
            .ToHaveTextAsync("GET /wait Add AsyncProbe.StackSnapshots.");
    }

    [Fact]
    public async Task Scale_StaysAsItIs_UntilItMustGrow()
    {
        var threads = 3;
        await using var page = await OpenAsync(r =>
        {
            foreach (var second in r["pool"]!["history"]!.AsArray())
            {
                (second!["threads"], second["blockedThreads"]) = (threads, 0);
            }
        });
        var top = page.Page.Locator(".chart.threads .scale span").Last;
        await Expect(top).ToHaveTextAsync("4");

        threads = 37;
        await Expect(top).ToHaveTextAsync("40");
        await Expect(page.Page.Locator(".chart.blocked .scale span").Last).ToHaveTextAsync("40");
        threads = 2;
        await Expect(page.Page.Locator(".chart.threads output")).ToHaveTextAsync("2");
        await Expect(top).ToHaveTextAsync("40");
        (await page.Page.Locator(".chart.threads .times span").AllTextContentsAsync()).ShouldAllBe(t => t.Contains(':'));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Legend_SaysThatBlockedHoldsTheWaitForACore_WhereItIsNotTold(bool isTold)
    {
        await using var page = await OpenAsync(r =>
        {
            foreach (var row in r["endpoints"]!.AsArray())
            {
                row!["cpuWaitMs"] = isTold ? row["cpuMs"]!.DeepClone() : null;
            }
        });

        await Expect(page.Row("GET /wait")).ToBeVisibleAsync();
        await Expect(page.Page.Locator("#no-cpu-wait"))
            .ToBeVisibleAsync(new() { Visible = !isTold });
    }

    [Fact]
    public async Task Warnings_AreAllReachable()
    {
        await using var page = await OpenAsync(
            r => (r["endpoints"], r["sites"], r["pool"]!["advice"]) = (Copies(r, "GET /wait", 40), new JsonArray(), null));
        var warnings = page.Page.Locator("#warnings li");
        await Expect(warnings).ToHaveCountAsync(6);

        await page.Page.GetByRole(AriaRole.Button, new() { Name = "and 34 more" }).ClickAsync();
        await Expect(warnings).ToHaveCountAsync(40);
        await page.Page.GetByRole(AriaRole.Button, new() { Name = "Show fewer" }).ClickAsync();
        await Expect(warnings).ToHaveCountAsync(6);
    }

    [Theory]
    [InlineData(1280, 4000)]
    [InlineData(390, 12000)]
    public async Task Page_OfAThousandEndpoints_IsNotEndless_AndShowsAllWhenAsked(int width, int mostPixels)
    {
        await using var page = await OpenAsync(r => r["endpoints"] = Copies(r, "GET /wait", 1000), width);
        await Expect(page.Rows).ToHaveCountAsync(25);
        (await page.Page.EvaluateAsync<int>("document.documentElement.scrollHeight")).ShouldBeLessThan(mostPixels);

        // The filter searches all of them.
        await page.Page.FillAsync("#filter", "/wait/977");
        await Expect(page.Rows).ToHaveCountAsync(1);
        await page.Page.FillAsync("#filter", "");
        await page.Page.GetByRole(AriaRole.Button, new() { Name = "Show all 1,000 endpoints" }).ClickAsync();
        await Expect(page.Rows).ToHaveCountAsync(1000);
    }

    [Fact]
    public async Task HeldThreads_OfOneEndpointAndPlace_ShareARow()
    {
        await using var page = await OpenAsync(r => r["now"] = JsonNode.Parse("""
            [
              { "endpoint": "GET /orders", "threads": 100, "heldMs": 1100, "cpuMs": 1, "at": null, "looked": false, "mostlyAt": "Orders.Load (Orders.cs:42)" },
              { "endpoint": "GET /orders", "threads": 10, "heldMs": 300, "cpuMs": 2, "at": "Orders.Load (Orders.cs:42)", "looked": true, "mostlyAt": null },
              { "endpoint": "GET /sleep", "threads": 3, "heldMs": 200, "cpuMs": 0, "at": null, "looked": true, "mostlyAt": null }
            ]
            """));

        var rows = page.Page.Locator("#now-table tbody tr");
        await Expect(rows).ToHaveCountAsync(2);
        (await rows.First.Locator("td").AllTextContentsAsync()).Select(t => t.Replace('\u00a0', ' '))
            .SkipLast(1).ShouldBe(["GET /orders", "110", "1.1 s", "1.0 ms"]);
        await Expect(rows.First).ToContainTextAsync("Orders.Load (Orders.cs:42) (seen for 10 ");
        await Expect(rows.Last).ToContainTextAsync("location unknown");
    }

    [Fact]
    public async Task Table_StartsWithTheEndpointWhoseLineBlocks_ThoughAColdOneWasBlockedForLonger()
    {
        await using var page = await OpenAsync(r =>
        {
            var rows = Copies(r, "GET /wait", 2);
            foreach (var row in rows)
            {
                row!["verdict"] = "notEnoughData";
            }

            rows[0]!["blockedMs"] = JsonNode.Parse("""{ "total": 900, "mean": 900, "max": 900 }""");
            rows[1]!["blockedMs"] = JsonNode.Parse("""{ "total": 200, "mean": 200, "max": 200 }""");
            var site = r["sites"]!.AsArray().First()!.DeepClone();
            site["endpoints"] = new JsonArray("GET /wait/1");
            (r["endpoints"], r["sites"]) = (rows, new JsonArray(site));
        });

        (await page.EndpointsAsync()).ShouldBe(["GET /wait/1", "GET /wait/0"]);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(12, 1)]
    public async Task HeldNow_ShowsOtherWork_OnlyIfTheRowSaysSomething(int busy, int rows)
    {
        await using var page = await OpenAsync(r =>
        {
            r["now"] = new JsonArray();
            r["pool"]!["state"] = "queueing";
            r["pool"]!["workers"]!["busy"] = busy;
            r["pool"]!["unclaimed"]!["busy"] = busy;
            r["pool"]!["unclaimed"]!["sites"] = new JsonArray();
        });

        await Expect(page.Page.Locator("#now-table tbody tr")).ToHaveCountAsync(rows);
    }

    [Fact]
    public async Task DoNow_ShowsTheSettingForARestart_AndTheOneInCode()
    {
        await using var page = await OpenAsync(r => r["pool"]!["doNow"] = JsonNode.Parse("""
            { "threads": 240, "environment": "DOTNET_ThreadPool_ForceMinWorkerThreads=F0", "code": "ThreadPool.SetMinThreads(240, 240)", "why": "It helps." }
            """));

        var box = page.Page.Locator("#do-now");
        await Expect(box).ToContainTextAsync("DOTNET_ThreadPool_ForceMinWorkerThreads=F0");
        await Expect(box).ToContainTextAsync("ThreadPool.SetMinThreads(240, 240)");
        await Expect(box).ToContainTextAsync("F0 is 240");
    }

    [Fact]
    public async Task Verdict_SaysHowManyRequestsAreMissing_WhileTheyAreCollected()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/few", () => "ok"));
        await app.GetManyAsync("/few", 7);
        var row = await app.EndpointAsync("GET /few", 7);
        row.GetProperty("verdict").GetString().ShouldBe("notEnoughData");
        row.GetProperty("advice").GetString().ShouldStartWith("Collecting: 2 of 5 requests.");

        await using var page = await browser.OpenAsync(app.Address);
        await Expect(page.Row("GET /few").Locator("span.verdict")).ToHaveTextAsync("collecting: 2 of 5");
    }

    [Fact]
    public async Task Header_SaysWhoseFiguresTheseAre()
    {
        await using var page = await browser.OpenSharedAsync();
        var process = (await (await browser.SharedAppAsync()).ReportAsync()).GetProperty("process");
        process.GetProperty("host").GetString().ShouldBe(Environment.MachineName);
        process.GetProperty("id").GetInt32().ShouldBe(Environment.ProcessId);

        await Expect(page.Page.Locator("#process")).ToContainTextAsync(process.GetProperty("name").GetString()!);
        await Expect(page.Page.Locator("#machine")).ToContainTextAsync($"on {Environment.MachineName} · process {Environment.ProcessId}");
        (await page.Page.TitleAsync()).ShouldContain($" on {Environment.MachineName}");
    }

    private static JsonNode Second(JsonNode report) => report["pool"]!["history"]!.AsArray().Last()!;

    private static JsonArray Copies(JsonNode report, string endpoint, int count)
    {
        var row = report["endpoints"]!.AsArray().First(e => (string?)e!["endpoint"] == endpoint)!;
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var copy = row.DeepClone();
            (copy["endpoint"], copy["verdict"]) = ($"{endpoint}/{i}", "asyncWillHelp");
            return copy;
        })];
    }

    // How high the curve ends, from 0 at the bottom to 1 at the top.
    private static async Task<double> LastHeightAsync(PageSession page, string chart) =>
        await page.Page.EvaluateAsync<double>(
            $"1 - Number(document.querySelector('.chart.{chart} .curve').getAttribute('d').split(/[ML]/).at(-1).split(' ')[1]) / 96");

    /// <summary>The shared app's page, with reports that the test changes on their way to it.</summary>
    private async Task<PageSession> OpenAsync(Action<JsonNode> change, int width = 1280)
    {
        // A server that has run for a second has a history.
        var app = await browser.SharedAppAsync();
        await Eventually.TrueAsync(
            async () => (await app.ReportAsync()).GetProperty("pool").GetProperty("history").GetArrayLength() > 0, "no second of history");
        return await browser.OpenSharedAsync(
            options: new BrowserNewContextOptions { ViewportSize = new() { Width = width, Height = 900 } },
            prepare: async page => await page.RouteAsync("**/_threadpool**", async route =>
            {
                if (route.Request.ResourceType != "fetch")
                {
                    await route.ContinueAsync();
                    return;
                }

                var response = await route.FetchAsync();
                var report = JsonNode.Parse(await response.TextAsync())!;
                change(report);
                await route.FulfillAsync(new() { Response = response, Body = report.ToJsonString() });
            }));
    }
}
