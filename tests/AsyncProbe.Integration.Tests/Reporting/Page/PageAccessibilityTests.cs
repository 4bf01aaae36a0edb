using Deque.AxeCore.Commons;
using Deque.AxeCore.Playwright;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>The live page for people who use a keyboard or a screen reader: axe's rules, and a walk with the Tab key.</summary>
[Trait("Needs", "Chromium")]
[SideBySide]
[Collection(nameof(BrowserTests))]
public sealed class PageAccessibilityTests(Browser browser)
{
    // Identifies a control in words that new figures don't change.
    private const string Name = "e => `${e.tagName} ${e.id} ${e.getAttribute('aria-label') ?? e.textContent.trim()}`";

    [Theory]
    [InlineData(1280, ColorScheme.Light)]
    [InlineData(1280, ColorScheme.Dark)]
    [InlineData(360, ColorScheme.Light)]
    public async Task Page_BreaksNoRuleOfAxe(int width, ColorScheme scheme)
    {
        await using var page = await browser.OpenSharedAsync(
            options: new BrowserNewContextOptions { ViewportSize = new() { Width = width, Height = 800 }, ColorScheme = scheme });
        await page.Row("GET /wait").GetByRole(AriaRole.Button).ClickAsync();
        await Expect(page.Page.Locator("tr.detail .site").Filter(new() { HasText = "Task.Wait" })).ToHaveCountAsync(1);

        (await BrokenRulesAsync(page)).ShouldBeEmpty();
    }

    [Fact]
    public async Task Dialog_BreaksNoRuleOfAxe()
    {
        await using var page = await browser.OpenSharedAsync();
        await page.Page.ClickAsync("#reset");
        await Expect(page.Page.Locator("#confirm")).ToBeVisibleAsync();

        (await BrokenRulesAsync(page)).ShouldBeEmpty();
    }

    [Fact]
    public async Task TabKey_ReachesEachControl_InTheOrderOfThePage_AndShowsWhereItIs()
    {
        await using var page = await browser.OpenSharedAsync();
        await Expect(page.Rows).ToHaveCountAsync(3);
        var controls = await page.Page.EvaluateAsync<string[]>(
            $"[...document.querySelectorAll('a[href], button, input, select, svg[tabindex], summary')].filter(e => "
                + $"e.checkVisibility()).map({Name})");
        controls.ShouldBeUnique();

        List<string> reached = [];
        for (var i = 0; i < controls.Length; i++)
        {
            await page.Page.Keyboard.PressAsync("Tab");
            reached.Add(await page.Page.EvaluateAsync<string>($"({Name})(document.activeElement)"));
            (await page.Page.EvaluateAsync<string>("getComputedStyle(document.activeElement).outlineStyle")).ShouldNotBe(
                "none", reached[^1]);
        }

        reached.ShouldBe(controls);
    }

    private static async Task<IEnumerable<string>> BrokenRulesAsync(PageSession page)
    {
        var result = await page.Page.RunAxe();
        result.Passes.Length.ShouldBeGreaterThan(10);
        return result.Violations.Select(Sentence);
    }

    private static string Sentence(AxeResultItem rule) =>
        $"{rule.Id}: {rule.Help} "
            + $"({string.Join("; ", rule.Nodes.Select(n => n.Html + " " + string.Join(' ', n.Any.Select(c => c.Message))))})";
}
