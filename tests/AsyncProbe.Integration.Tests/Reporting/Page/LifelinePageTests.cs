using System.Text.Json.Nodes;
using AsyncProbe.Tests;
using Microsoft.AspNetCore.Builder;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>The page while no pool thread is free: one that was already open, and one that is opened then.</summary>
[Trait("Needs", "Chromium")]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class LifelinePageTests(Browser browser) : IDisposable
{
    private const int Workers = 4;

    private readonly int _port = FreePort.Take();
    private readonly string _release = Path.GetTempFileName() + "-release";

    private Uri Lifeline => new($"http://127.0.0.1:{_port}/");

    [Fact]
    public async Task OpenPage_GoesOnFromTheLifeline_WhileThePoolIsStarved()
    {
        await using var server = await StartAsync();
        await using var page = await browser.OpenAsync(server.Address);
        await Expect(page.Page.Locator("#lifeline")).ToContainTextAsync($"open the lifeline: {Lifeline}");

        var hung = Starve(server);
        await Expect(page.Page.Locator("#lost")).ToContainTextAsync($"lifeline at {Lifeline}");
        await Expect(page.State).ToContainTextAsync("The thread pool is starved");
        await Expect(page.Page.Locator("#age")).ToHaveTextAsync("live, lifeline");

        await File.WriteAllTextAsync(_release, "");
        await Task.WhenAll(hung).WaitAsync(ProbedApp.Timeout);
        await Expect(page.Page.Locator("#lost")).ToBeHiddenAsync();
        await Expect(page.State).ToContainTextAsync("The thread pool is healthy");
    }

    [Fact]
    public async Task Page_OpensOnTheLifeline_WhileThePoolIsStarved()
    {
        await using var server = await StartAsync();
        var hung = Starve(server);

        await using var page = await browser.OpenAsync(Lifeline, "/");

        await Expect(page.State).ToContainTextAsync("The thread pool is starved");
        await page.Row("GET /hang-until-file").GetByRole(AriaRole.Button).ClickAsync();
        await Expect(page.Page.Locator("#lifeline")).ToContainTextAsync("This is the lifeline");
        await Expect(page.Page.Locator("#reset")).ToBeHiddenAsync();
        page.ForeignRequests.ShouldBeEmpty();
        page.Errors.ShouldBeEmpty();
        await File.WriteAllTextAsync(_release, "");
        await Task.WhenAll(hung).WaitAsync(ProbedApp.Timeout);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Page_AdvisesALifeline_UnlessTheLifelineServesIt(bool isOnLifeline)
    {
        await using var server = await StartAsync();
        await using var page = isOnLifeline
            ? await browser.OpenAsync(Lifeline, "/", prepare: HideLifelineAsync)
            : await browser.OpenAsync(server.Address, prepare: HideLifelineAsync);

        (await page.Page.Locator("#probe li").AllTextContentsAsync()).Any(text => text.Contains("There is no lifeline", StringComparison.Ordinal))
            .ShouldBe(!isOnLifeline);
    }

    [Fact]
    public async Task Lifeline_IsClosed_ToAPageOfAnotherOrigin()
    {
        await using var server = await StartAsync();
        await using var foreign = await ProbedApp.StartAsync(
            a => a.MapGet("/page", () => Microsoft.AspNetCore.Http.Results.Content("<p>foreign", "text/html")));
        await using var page = await browser.OpenSharedAsync();

        // AsyncProbe's own page has a policy that forbids this as well, so use a page without it.
        await page.Page.GotoAsync(new Uri(foreign.Address, "/page").ToString());
        (await page.Page.EvaluateAsync<string>(
            $"fetch('{server.Address}plain', {{ mode: 'no-cors' }}).then(() => 'reached', () => 'refused')")).ShouldBe("reached");
        (await page.Page.EvaluateAsync<string>($"fetch('{Lifeline}').then(r => r.text(), () => 'refused')")).ShouldBe("refused");
    }

    public void Dispose() => File.Delete(_release);

    private async Task<ServerProcess> StartAsync()
    {
        var server = await ServerProcess.StartAsync(
            "--environment", "Development", "--max-workers", $"{Workers}", "--AsyncProbe:LifelinePort", $"{_port}");

        // The server starts to listen before the lifeline does.
        await server.LineAsync("The lifeline of AsyncProbe is at");
        return server;
    }

    // The report of an attached probe names no lifeline, though the probe serves the page as a lifeline does.
    private static Task HideLifelineAsync(IPage page) => page.RouteAsync("**/*", async route =>
    {
        if (route.Request.ResourceType != "fetch")
        {
            await route.ContinueAsync();
            return;
        }

        var response = await route.FetchAsync();
        var report = JsonNode.Parse(await response.TextAsync())!;
        report["probe"]!["lifeline"] = null;
        await route.FulfillAsync(new() { Response = response, Body = report.ToJsonString() });
    });

    // More requests than there are threads, for as long as the test wants.
    private List<Task<string>> Starve(ServerProcess server) =>
        [.. Enumerable.Range(0, 2 * Workers).Select(_ => server.TextAsync($"/hang-until-file?path={Uri.EscapeDataString(_release)}"))];
}
