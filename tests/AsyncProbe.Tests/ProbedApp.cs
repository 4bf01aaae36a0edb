using System.Globalization;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests;

/// <summary>An app on real Kestrel and loopback, with AsyncProbe in front, and a client for it.</summary>
internal sealed class ProbedApp : IAsyncDisposable
{
    public static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);

    private readonly WebApplication _app;

    private ProbedApp(WebApplication app)
    {
        _app = app;
        var address = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First();
        Client = new HttpClient { BaseAddress = new Uri(address), Timeout = Timeout };
    }

    public HttpClient Client { get; }

    public LogLines Log { get; private init; } = new();

    public IServiceProvider Services => _app.Services;

    /// <param name="map">Adds what the test needs, after UseAsyncProbe and MapAsyncProbe.</param>
    /// <param name="environment">The hosting environment.</param>
    /// <param name="configure">Services and settings.</param>
    /// <param name="usesProbe">False when the test places UseAsyncProbe itself.</param>
    public static async Task<ProbedApp> StartAsync(
        Action<WebApplication> map, string environment = "Development", Action<WebApplicationBuilder>? configure = null, bool usesProbe = true)
    {
        var log = new LogLines();
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { EnvironmentName = environment });
        // No file watchers and nothing from the surroundings: a test sees the settings it makes.
        builder.Configuration.Sources.Clear();
        builder.Configuration.AddInMemoryCollection();
        builder.Logging.ClearProviders().AddProvider(log).SetMinimumLevel(LogLevel.Debug).AddFilter("Microsoft", LogLevel.Warning);
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddAsyncProbe();
        configure?.Invoke(builder);
        var app = builder.Build();
        if (usesProbe)
        {
            app.UseAsyncProbe();
        }

        map(app);
        app.MapAsyncProbe();
        await app.StartAsync().WaitAsync(Timeout);
        return new ProbedApp(app) { Log = log };
    }

    public Task<HttpResponseMessage> GetAsync(string path) => Client.GetAsync(new Uri(path, UriKind.Relative));

    /// <summary>Asks an endpoint that answers with the milliseconds it measured itself: the truth to compare with.</summary>
    public async Task<double> MillisecondsAsync(string path) =>
        double.Parse(await Client.GetStringAsync(new Uri(path, UriKind.Relative)), CultureInfo.InvariantCulture);

    public async Task<JsonElement> ReportAsync()
    {
        var json = await Client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative));
        return JsonDocument.Parse(json).RootElement;
    }

    /// <summary>
    /// The endpoint's row once it has counted so many requests: the client has its answer a moment before the server has counted it.
    /// </summary>
    public async Task<JsonElement> EndpointAsync(string endpoint, int requests = 1)
    {
        var deadline = DateTime.UtcNow + Timeout;
        while (true)
        {
            var report = await ReportAsync();
            var row = report.GetProperty("endpoints").EnumerateArray().FirstOrDefault(e => e.GetProperty("endpoint").GetString() == endpoint);
            if (row.ValueKind == JsonValueKind.Object && row.GetProperty("requests").GetInt64() >= requests)
            {
                return row;
            }

            (DateTime.UtcNow < deadline).ShouldBeTrue($"no row '{endpoint}' with {requests} requests in {report}");
            await Task.Delay(20);
        }
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _app.StopAsync().WaitAsync(Timeout);
        await _app.DisposeAsync();
    }
}
