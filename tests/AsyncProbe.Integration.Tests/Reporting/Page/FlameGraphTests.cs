using System.Text.RegularExpressions;
using Deque.AxeCore.Playwright;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>The page's flame graph of blocked time: from a made-up profile with known figures, and from a real one.</summary>
[Trait("Needs", "Chromium")]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class FlameGraphTests(Browser browser)
{
    private const string Profile = """
        { "blockedMs": 400, "cutMs": 20, "nodes": [
          { "name": "GET /a", "own": false, "blockedMs": 300 },
          { "name": "A.Handle", "file": "src/A.cs", "line": 12, "own": true, "blockedMs": 300, "parent": 0 },
          { "name": "[Lock]", "own": false, "blockedMs": 100, "parent": 1 },
          { "name": "[Task.Wait]", "own": false, "blockedMs": 200, "parent": 1 },
          { "name": "GET /b", "own": false, "blockedMs": 100 } ] }
        """;

    [Fact]
    public async Task Boxes_AreAsWideAsTheirTime_AndOneWidensWhenItIsClicked()
    {
        await using var page = await OpenAsync();
        await Expect(Box(page, "A.Handle (A.cs:12)")).ToHaveClassAsync("own");
        (await ShareAsync(page, "GET /a")).ShouldBe(0.75, 0.01);
        (await ShareAsync(page, "[Task.Wait]")).ShouldBe(0.5, 0.01);
        (await ShareAsync(page, "GET /b")).ShouldBe(0.25, 0.01);
        await Expect(page.Page.Locator("#flame-cut")).ToContainTextAsync("20 ms");

        await Box(page, "[Task.Wait]").HoverAsync();
        await Expect(page.Page.Locator("#flame-told"))
            .ToHaveTextAsync(new Regex(@"^\[Task\.Wait\]: 200\sms, 50\s%"));
        await Box(page, "[Task.Wait]").ClickAsync();
        (await ShareAsync(page, "[Task.Wait]")).ShouldBe(1, 0.01);
        (await ShareAsync(page, "GET /a")).ShouldBe(1, 0.01, "the callers stay above it");
        await Expect(Box(page, "GET /b")).ToHaveCountAsync(0);

        await page.Page.GetByRole(AriaRole.Button, new() { Name = "Show all" }).ClickAsync();
        (await ShareAsync(page, "GET /b")).ShouldBe(0.25, 0.01);
    }

    [Fact]
    public async Task Told_IsWhatHasTheFocus_WithItsNewFigures_WhenTheGraphIsZoomedOrDrawnAgain()
    {
        var profile = Profile;
        await using var page = await OpenAsync(() => profile);
        var told = page.Page.Locator("#flame-told");
        await Box(page, "A.Handle (A.cs:12)").FocusAsync();
        await page.Page.Keyboard.PressAsync("Enter");
        (await ShareAsync(page, "[Lock]")).ShouldBe(0.333, 0.01);
        await Expect(told).ToHaveTextAsync(new Regex(@"^A\.Handle \(A\.cs:12\): 300\sms, 75\s%"));
        await Expect(told).ToHaveAttributeAsync("aria-live", "polite");
        await page.Page.Keyboard.PressAsync("ArrowDown");
        await Expect(told).ToContainTextAsync("[Task.Wait]: 200\u00a0ms");

        profile = Profile.Replace("200,", "600,", StringComparison.Ordinal).Replace("300", "700", StringComparison.Ordinal)
            .Replace("400", "800", StringComparison.Ordinal);

        await Expect(told).ToHaveTextAsync(
            new Regex(@"^\[Task\.Wait\]: 600\sms, 75\s%"), new() { Timeout = 30_000 });
        await Expect(Box(page, "[Task.Wait]")).ToBeFocusedAsync();
        await Expect(told).ToHaveAttributeAsync("aria-live", "polite");

        // A user who has left the graph gets no announcement every few seconds, but the new figures are there to read.
        await page.Page.GetByRole(AriaRole.Button, new() { Name = "Show all" }).FocusAsync();
        profile = Profile;
        await Expect(told).ToHaveTextAsync(
            new Regex(@"^A\.Handle \(A\.cs:12\): 300\sms, 75\s%"), new() { Timeout = 30_000 });
        await Expect(told).ToHaveAttributeAsync("aria-live", "off");
    }

    [Fact]
    public async Task Keys_MoveToCalleesCallersAndSiblings()
    {
        await using var page = await OpenAsync();
        await Box(page, "all call sites").FocusAsync();
        foreach (var (key, reached) in new[]
        {
            ("ArrowDown", "GET /a"), ("ArrowRight", "GET /b"), ("ArrowLeft", "GET /a"), ("ArrowDown", "A.Handle (A.cs:12)"),
            ("ArrowDown", "[Task.Wait]"),
            ("ArrowUp", "A.Handle (A.cs:12)"), ("Home", "all call sites"),
        })
        {
            await page.Page.Keyboard.PressAsync(key);
            await Expect(Box(page, reached)).ToBeFocusedAsync();
        }

        await page.Page.Keyboard.PressAsync("ArrowDown");
        await page.Page.Keyboard.PressAsync("Enter");
        (await ShareAsync(page, "GET /a")).ShouldBe(1, 0.01);
        await Expect(Box(page, "GET /a")).ToBeFocusedAsync();
        await page.Page.Keyboard.PressAsync("Escape");
        (await ShareAsync(page, "GET /a")).ShouldBe(0.75, 0.01);
    }

    [Fact]
    public async Task Table_SaysTheSame_AndNeitherBreaksARuleOfAxe()
    {
        await using var page = await OpenAsync();
        (await page.Page.RunAxe()).Violations.Select(v => v.Id).ShouldBeEmpty();

        await page.Page.GetByRole(AriaRole.Button, new() { Name = "As a table" }).ClickAsync();
        await Expect(page.Page.Locator("#flame-graph")).ToBeHiddenAsync();
        (await page.Page.Locator("#flame-table tbody tr").AllTextContentsAsync()).Select(t => t.Replace('\u00a0', ' ')).ShouldBe(
        [
            "all call sites400 ms100 %", "GET /a300 ms75 %", "A.Handle (A.cs:12)300 ms75 %", "[Task.Wait]200 ms50 %", "[Lock]100 ms25 %",
            "GET /b100 ms25 %",
        ]);
        (await page.Page.RunAxe()).Violations.Select(v => v.Id).ShouldBeEmpty();
    }

    [Fact]
    public async Task Graph_ShowsWhatARealServerWaitedFor_AndAsksForNothingBeforeItIsOpened()
    {
        await using var page = await browser.OpenSharedAsync();
        await Expect(page.Rows).ToHaveCountAsync(3);
        page.Requests.ShouldNotContain(url => url.Contains("profile", StringComparison.Ordinal));

        await page.Page.ClickAsync("#flame summary");
        await Expect(Box(page, "GET /wait")).ToHaveCountAsync(1);
        await Expect(Box(page, "[Task.Wait]")).ToHaveCountAsync(1);
        await Expect(page.Page.Locator("#flame-graph button.own")).Not.ToHaveCountAsync(0);
    }

    private static ILocator Box(PageSession page, string name) => page.Page.Locator("#flame-graph").GetByText(name, new() { Exact = true });

    // The box's share of the graph's whole width.
    private static async Task<double> ShareAsync(PageSession page, string name)
    {
        await Expect(Box(page, name)).ToHaveCountAsync(1);
        return await Box(page, name).EvaluateAsync<double>("b => parseFloat(b.style.width) / 100");
    }

    private async Task<PageSession> OpenAsync(Func<string>? profile = null)
    {
        var page = await browser.OpenSharedAsync(prepare: async page => await page.RouteAsync(
            "**/profile?format=tree",
            route => route.FulfillAsync(new() { ContentType = "application/json", Body = profile?.Invoke() ?? Profile })));
        await page.Page.ClickAsync("#flame summary");
        await Expect(Box(page, "GET /b")).ToHaveCountAsync(1);
        return page;
    }
}
