using AsyncProbe.Tests;
using Microsoft.Playwright;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>
/// One Chromium for all tests of the page, and one app for the tests that only look. It is the one in $CHROMIUM, or /usr/bin/chromium.
/// </summary>
public sealed class Browser : IAsyncLifetime
{
    private IPlaywright? _playwright;
    private IBrowser? _browser;
    private ProbedApp? _app;

    public async Task InitializeAsync()
    {
        _playwright = await Playwright.CreateAsync();
        Assertions.SetDefaultExpectTimeout((float)ProbedApp.Timeout.TotalMilliseconds);
        _browser = await _playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
        {
            ExecutablePath = Environment.GetEnvironmentVariable("CHROMIUM") ?? "/usr/bin/chromium",
            Timeout = (float)ChildProcess.Timeout.TotalMilliseconds,
            Args =
            [
                "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync",
            ],
        });
    }

    public async Task DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.CloseAsync().WaitAsync(ProbedApp.Timeout);
        }

        _playwright?.Dispose();
        if (_app is not null)
        {
            await _app.DisposeAsync();
        }
    }

    /// <summary>The page of the app that all tests share: only for tests that neither send requests to it nor reset it.</summary>
    internal async Task<PageSession> OpenSharedAsync(
        string path = "/_threadpool", BrowserNewContextOptions? options = null, Func<IPage, Task>? prepare = null) =>
        await OpenAsync((await SharedAppAsync()).Address, path, options, prepare);

    // The tests of the page run one after another, so no other test starts the app at the same time.
    internal async Task<ProbedApp> SharedAppAsync() => _app ??= await PageApp.StartAsync();

    /// <param name="server">The app.</param>
    /// <param name="path">The path of the page.</param>
    /// <param name="options">The browser window.</param>
    /// <param name="prepare">Runs before the page is requested.</param>
    internal async Task<PageSession> OpenAsync(
        Uri server, string path = "/_threadpool", BrowserNewContextOptions? options = null, Func<IPage, Task>? prepare = null)
    {
        var context = await _browser!.NewContextAsync(
            options ?? new BrowserNewContextOptions { ViewportSize = new() { Width = 1280, Height = 900 } });
        context.SetDefaultTimeout((float)ProbedApp.Timeout.TotalMilliseconds);
        var session = new PageSession(context, await context.NewPageAsync(), server);
        await (prepare?.Invoke(session.Page) ?? Task.CompletedTask);
        await session.GoAsync(path);
        return session;
    }
}

[CollectionDefinition(nameof(BrowserTests))]
public sealed class BrowserTests : ICollectionFixture<Browser>;
