using System.Collections.Concurrent;
using Microsoft.Playwright;

namespace AsyncProbe.Cli.Integration.Tests.Views;

/// <summary>Opens reports from disk in Chromium: the one in $CHROMIUM, or /usr/bin/chromium.</summary>
public sealed class ReportBrowser : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly ConcurrentQueue<(IPage Page, string Text)> _noise = new();
    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public async Task InitializeAsync()
    {
        _playwright = await Playwright.CreateAsync();
        Assertions.SetDefaultExpectTimeout((float)Patience.TotalMilliseconds);
        _browser = await _playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
        {
            ExecutablePath = Environment.GetEnvironmentVariable("CHROMIUM") ?? "/usr/bin/chromium",
            Timeout = 180_000,
            Args =
            [
                "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync",
            ],
        });
    }

    public async Task<IPage> OpenAsync(string file)
    {
        var page = await _browser!.NewPageAsync(new BrowserNewPageOptions { ViewportSize = new() { Width = 1280, Height = 900 } });
        page.SetDefaultTimeout((float)Patience.TotalMilliseconds);
        page.Request += (_, request) => Note(page, request.Url, !request.Url.StartsWith("file:", StringComparison.Ordinal));
        page.PageError += (_, error) => Note(page, error);
        page.Dialog += (_, dialog) => Note(page, dialog.Message);
        page.Console += (_, message) => Note(page, message.Text, message.Type is "error" or "warning");
        await page.GotoAsync(new Uri(file).AbsoluteUri);
        return page;
    }

    /// <summary>Everything that a page requested over the network, reported as an error, or opened.</summary>
    public IEnumerable<string> NoiseOf(IPage page) => _noise.Where(noise => noise.Page == page).Select(noise => noise.Text);

    public async Task DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.CloseAsync().WaitAsync(Patience);
        }

        _playwright?.Dispose();
    }

    private void Note(IPage page, string text, bool isNoise = true)
    {
        if (isNoise)
        {
            _noise.Enqueue((page, text));
        }
    }
}
