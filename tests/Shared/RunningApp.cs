using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Shared;

/// <summary>A started app in this process, on real Kestrel and loopback, and a client for it.</summary>
internal abstract class RunningApp : IAsyncDisposable
{
    public static readonly TimeSpan Timeout = Eventually.Timeout;

    private readonly WebApplication _app;

    protected RunningApp(WebApplication app)
    {
        _app = app;
        Address = new Uri(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First());
        Client = new HttpClient { BaseAddress = Address, Timeout = Timeout };
    }

    public Uri Address { get; }

    public HttpClient Client { get; }

    public IServiceProvider Services => _app.Services;

    public Task<HttpResponseMessage> GetAsync(string path) => Client.GetAsync(new Uri(path, UriKind.Relative));

    public Task<string> TextAsync(string path) => Client.GetStringAsync(new Uri(path, UriKind.Relative));

    public async Task<JsonElement> ReportAsync() => JsonDocument.Parse(await TextAsync("/_threadpool")).RootElement;

    /// <summary>
    /// The endpoint's row once it has counted this many requests: the client gets its answer a moment before the server counts it.
    /// </summary>
    public Task<JsonElement> EndpointAsync(string endpoint, int requests = 1) => RowAsync("endpoints", endpoint, requests);

    /// <summary>The same for an operation, by its source and its name.</summary>
    public Task<JsonElement> OperationAsync(string operation, int times = 1) => RowAsync("operations", operation, times);

    private async Task<JsonElement> RowAsync(string table, string endpoint, int requests)
    {
        JsonElement report = default;
        return await Eventually.FoundAsync(
            async () =>
            {
                report = await ReportAsync();
                return report.GetProperty(table).EnumerateArray()
                    .FirstOrDefault(
                        e => e.GetProperty("endpoint").GetString() == endpoint && e.GetProperty("requests").GetInt64() >= requests);
            },
            () => $"no row '{endpoint}' with {requests} requests among the {table} in {report}");
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        try
        {
            await _app.StopAsync().WaitAsync(Timeout);
        }
        finally
        {
            // An app that doesn't stop fails its test, and must not keep running during other tests.
            await _app.DisposeAsync();
        }
    }
}
