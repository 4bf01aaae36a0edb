using System.Text.RegularExpressions;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>The page while work that is neither a request nor an operation takes all pool threads.</summary>
[Trait("Needs", "Chromium")]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class UnclaimedWorkPageTests(Browser browser)
{
    [Fact]
    public async Task Page_NamesTheLineOfTheWork_AndBlamesNoEndpoint_WhileNobodysWorkStarvesThePool()
    {
        var lifeline = FreePort.Take();
        await using var server = await ServerProcess.StartAsync(
            "--environment", "Development", "--snapshots", "true", "--AsyncProbe:LifelinePort", $"{lifeline}");
        await server.LineAsync("The lifeline of AsyncProbe is at");
        for (var i = 0; i < 10; i++)
        {
            await server.TextAsync("/plain");
        }

        // Runs longer than the test; the work ends with the process.
        server.Start("/occupy?items=200&ms=500&seconds=600");
        await using var page = await browser.OpenAsync(new Uri($"http://127.0.0.1:{lifeline}/"), "/");

        await Expect(page.State).ToContainTextAsync(new Regex("starved: .* blocked"));
        var pool = page.Page.Locator("#warnings li").Filter(new() { HasText = "Pool " });
        await Expect(pool).ToContainTextAsync("at Occupation.Execute (Occupation.cs:");
        await Expect(pool).ToContainTextAsync("Await there instead of blocking.");
        await Expect(page.Page.Locator("#now-table")).ToContainTextAsync("at Occupation.Execute (Occupation.cs:");

        await Expect(page.Row("GET /plain")).ToBeVisibleAsync();
        await Expect(page.Page.Locator("#warnings")).Not.ToContainTextAsync("GET /");
        await Expect(page.Page.Locator("#warnings")).Not.ToContainTextAsync("blocked in");
        page.ForeignRequests.ShouldBeEmpty();
        page.Errors.ShouldBeEmpty();
    }
}
