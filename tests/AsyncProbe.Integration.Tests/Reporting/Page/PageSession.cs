using System.Collections.Concurrent;
using AsyncProbe.Tests;
using Microsoft.Playwright;

namespace AsyncProbe.Integration.Tests.Reporting.Page;

/// <summary>The page in a browser, with every error it reported and everything it requested.</summary>
internal sealed class PageSession : IAsyncDisposable
{
    private readonly IBrowserContext _context;
    private readonly Uri _server;
    private readonly ConcurrentQueue<string> _requests = new();
    private readonly ConcurrentQueue<string> _errors = new();

    public PageSession(IBrowserContext context, IPage page, Uri server)
    {
        (_context, Page, _server) = (context, page, server);
        page.Request += (_, request) => _requests.Enqueue(request.Url);
        page.PageError += (_, error) => _errors.Enqueue(error);
        page.Console += (_, message) =>
        {
            if (message.Type is "error" or "warning")
            {
                _errors.Enqueue(message.Text);
            }
        };
    }

    public IPage Page { get; }

    public ILocator State => Page.Locator("#state");

    public ILocator Rows => Page.Locator("#endpoint-table tr.main");

    public IEnumerable<string> Errors => _errors;

    public IEnumerable<string> ForeignRequests =>
        _requests.Where(url => !url.StartsWith("data:", StringComparison.Ordinal) && new Uri(url).Authority != _server.Authority);

    public IEnumerable<string> Requests => _requests;

    public int RequestCount => _requests.Count;

    public ILocator Row(string endpoint) => Page.Locator($"tr[data-endpoint='{endpoint}']");

    /// <summary>The figure that a cell shows, unrounded.</summary>
    public async Task<string?> ValueAsync(string endpoint, string field) =>
        await Row(endpoint).Locator($"td[data-field={field}]").GetAttributeAsync("data-value");

    public Task<string[]> EndpointsAsync() =>
        Page.EvaluateAsync<string[]>("[...document.querySelectorAll('#endpoint-table tr.main')].map(r => r.dataset.endpoint)");

    public async Task GoAsync(string path)
    {
        await Page.GotoAsync(new Uri(_server, path).ToString());
        await Assertions.Expect(Page.Locator("body")).Not.ToHaveAttributeAsync("data-state", "loading");
    }

    /// <summary>Gives the page a clock that <see cref="PassAsync"/> can advance; until then it runs like any other.</summary>
    public static Task WithClockAsync(IPage page) => page.Clock.InstallAsync();

    /// <summary>Advances the page's clock in an instant; timers that are due in that time run now.</summary>
    public Task PassAsync(TimeSpan time) => Page.Clock.RunForAsync((long)time.TotalMilliseconds);

    public async ValueTask DisposeAsync() => await _context.CloseAsync().WaitAsync(ProbedApp.Timeout);
}
