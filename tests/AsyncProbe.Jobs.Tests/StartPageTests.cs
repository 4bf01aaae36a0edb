using Deque.AxeCore.Playwright;
using Microsoft.Playwright;

namespace AsyncProbe.Jobs.Tests;

/// <summary>The sample's start page in Chromium: it can be read in light and dark colours, and it asks for nothing that isn't there.</summary>
public sealed class StartPageTests
{
    [Fact]
    public async Task StartPage_BreaksNoRuleOfAxe_AndWritesNothingToTheConsole()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:Upstream=false");
        using var playwright = await Playwright.CreateAsync();
        await using var browser = await playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
        {
            ExecutablePath = Environment.GetEnvironmentVariable("CHROMIUM") ?? "/usr/bin/chromium",
            Timeout = (float)ChildProcess.Timeout.TotalMilliseconds,
            Args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        });
        List<string> problems = [];
        foreach (var (width, scheme) in new[] { (390, ColorScheme.Light), (1280, ColorScheme.Dark) })
        {
            await using var context = await browser.NewContextAsync(
                new() { ViewportSize = new() { Width = width, Height = 800 }, ColorScheme = scheme });
            var page = await context.NewPageAsync();
            page.SetDefaultTimeout((float)ChildProcess.Timeout.TotalMilliseconds);
            page.Console += (_, message) => problems.Add($"{message.Type}: {message.Text}");
            await page.GotoAsync(sample.Address.ToString());
            problems.AddRange((await page.RunAxe()).Violations.Select(rule => $"{scheme} {rule.Id}: {rule.Nodes[0].Html}"));
        }

        problems.ShouldBeEmpty();
    }
}
