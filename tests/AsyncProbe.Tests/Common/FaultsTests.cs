using System.Diagnostics.Metrics;
using System.Net;
using System.Text.Json;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Common;

/// <summary>Anything that listens to AsyncProbe may always throw: no request fails because of it or goes uncounted.</summary>
public sealed class FaultsTests
{
    private const int Requests = 10_000;
    private const int Clients = 8;

    [Fact]
    public async Task Requests_AreAnsweredAndCounted_ThoughEveryListenerThrows()
    {
        using var host = await StartAsync();
        var meters = host.Services.GetRequiredService<IMeterFactory>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, me) =>
        {
            if (instrument.Meter.Name == "AsyncProbe" && instrument.Meter.Scope == meters)
            {
                me.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => throw new InvalidOperationException("a meter listener"));
        listener.SetMeasurementEventCallback<long>((_, _, _, _) => throw new InvalidOperationException("a meter listener"));
        listener.Start();
        var watching = new Faults(NullLogger<Faults>.Instance);
        using var watcher = Watcher.Subscribe(new ThrowingListener(), watching);

        using var client = host.GetTestClient();
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(async _ =>
        {
            for (var i = 0; i < Requests / Clients; i++)
            {
                using var response = await client.GetAsync(new Uri(i % 100 == 0 ? "/wait" : "/x", UriKind.Relative));
                response.StatusCode.ShouldBe(HttpStatusCode.OK);
            }
        })).WaitAsync(TimeSpan.FromMinutes(2));

        JsonElement report = default;
        await Eventually.TrueAsync(
            async () =>
            {
                report = JsonDocument.Parse(await client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;
                return Sum(report, "requests") == Requests && watching.Count > 0;
            },
            () => $"{Sum(report, "requests")} of {Requests} requests are counted");

        Sum(report, "inFlight").ShouldBe(0);
        Sum(report, "failed").ShouldBe(0);
        report.GetProperty("probe").GetProperty("faults").GetInt64().ShouldBeGreaterThanOrEqualTo(Requests);
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    private static long Sum(JsonElement report, string figure) =>
        report.ValueKind == JsonValueKind.Undefined ? 0 : report.GetProperty("endpoints").EnumerateArray().Sum(e => e.Count(figure));

    private static async Task<IHost> StartAsync()
    {
        var host = new HostBuilder()
            .ConfigureLogging(
                logs => logs.SetMinimumLevel(LogLevel.Trace).AddProvider(new ThrowingLogs()).AddFilter("Microsoft", LogLevel.None))
            .UseEnvironment("Development")
            .ConfigureWebHost(web => web.UseTestServer()
                .ConfigureServices(s => s.AddRouting().AddMetrics().AddAsyncProbe())
                .Configure(a => a.UseRouting().UseAsyncProbe().UseEndpoints(e =>
                {
                    e.MapGet("/x", () => "x");
                    e.MapGet("/wait", () =>
                    {
                        Task.Delay(5).Wait();
                        return "x";
                    });
                    e.MapAsyncProbe();
                })))
            .Build();
        await host.StartAsync().WaitAsync(ProbedApp.Timeout);
        return host;
    }

    private sealed class ThrowingListener : IWatcherListener
    {
        public void OnTick(PoolSample sample, LiveSegments live) => throw new InvalidOperationException("a listener");

        public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load) => throw new InvalidOperationException("a listener");
    }

    private sealed class ThrowingLogs : ILoggerProvider, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            throw new InvalidOperationException("a logging provider");

        public void Dispose()
        {
        }
    }
}
