using System.Text.Json;
using Microsoft.Playwright;

namespace AsyncProbe.Jobs.Tests;

/// <summary>The sample's Blazor page in Chromium: each click is an operation, and the blocking one is named with its line.</summary>
public sealed class BlazorTests
{
    private const string Events = "Microsoft.AspNetCore.Components: Event onclick -> AsyncProbe.Sample.Jobs.JobsPage.";

    [Fact]
    public async Task Click_IsNamed_WhereItBlocks_AndItsAwaitedTwinIsSilent()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:Upstream=false");
        using var playwright = await Playwright.CreateAsync();
        await using var browser = await playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
        {
            ExecutablePath = Environment.GetEnvironmentVariable("CHROMIUM") ?? "/usr/bin/chromium",
            Timeout = (float)ChildProcess.Timeout.TotalMilliseconds,
            Args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        });
        var page = await browser.NewPageAsync();
        page.SetDefaultTimeout((float)ChildProcess.Timeout.TotalMilliseconds);
        await page.GotoAsync(new Uri(sample.Address, "/jobs/page").ToString());
        await ClickAsync(page, "#awaits", "#awaited", 1);

        // Blazor runs its code under its own context, so the wait hook stays away. A stack snapshot names the line while the wait lasts.
        List<JsonElement> sites = [];
        for (var clicks = 1; sites.Count == 0 && clicks <= 10; clicks++)
        {
            await ClickAsync(page, "#blocks", "#blocked", clicks);
            sites = await SitesAsync(sample, Events + "Blocks");
        }

        var site = sites.ShouldHaveSingleItem($"{await sample.ReportAsync()}");
        site.GetProperty("kind").GetString().ShouldBe("Task.Wait");
        site.GetProperty("at").GetString().ShouldBe("JobsPage.Blocks");
        site.GetProperty("file").GetString().ShouldNotBeNull().ShouldEndWith("JobsPage.razor");
        site.GetProperty("line").GetInt32().ShouldBe(LineOfWait());
        (await RowAsync(sample, Events + "Blocks")).GetProperty("blockedMs").GetProperty("total").GetDouble().ShouldBeGreaterThan(2_000);

        (await RowAsync(sample, Events + "Awaits")).GetProperty("durationMs").GetProperty("max").GetDouble().ShouldBeGreaterThan(2_900);
        (await SitesAsync(sample, Events + "Awaits")).ShouldBeEmpty();
    }

    private static async Task ClickAsync(IPage page, string button, string counter, int expected)
    {
        await page.ClickAsync(button);
        await page.WaitForFunctionAsync($"document.querySelector('{counter}').textContent === '{expected}'");
    }

    private static Task<JsonElement> RowAsync(ChildProcess sample, string operation)
    {
        JsonElement report = default;
        return Eventually.FoundAsync(
            async () =>
            {
                report = await sample.ReportAsync();
                return report.GetProperty("operations").EnumerateArray()
                    .FirstOrDefault(e => e.GetProperty("endpoint").GetString() == operation && e.GetProperty("requests").GetInt64() > 0);
            },
            () => $"no row '{operation}' in {report}");
    }

    // Any code may meet a runtime lock whose owner has lost its core, but only one of these waits for a task.
    private static async Task<List<JsonElement>> SitesAsync(ChildProcess sample, string operation) =>
    [
        .. (await sample.ReportAsync()).GetProperty("sites").EnumerateArray()
            .Where(s => s.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == operation)
                && s.GetProperty("kind").GetString()!.StartsWith("Task.", StringComparison.Ordinal)),
    ];

    private static int LineOfWait()
    {
        var source = File.ReadAllLines(Path.Combine(Repository.Folder, "src/AsyncProbe.Sample/Jobs/JobsPage.razor"));
        return Array.FindIndex(source, text => text.Contains(".Wait();", StringComparison.Ordinal)) + 1;
    }
}
