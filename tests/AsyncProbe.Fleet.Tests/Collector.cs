using System.Collections.Concurrent;
using AsyncProbe.Tests.Reporting.Metrics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Fleet.Tests;

/// <summary>Receives OTLP over HTTP and keeps each replica's last export: sums are cumulative, so the last one is complete.</summary>
internal sealed class Collector : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, byte[]> _last = new(StringComparer.Ordinal);
    private readonly WebApplication _app;

    private Collector(WebApplication app)
    {
        _app = app;
        app.MapPost("/{replica}/v1/metrics", async (string replica, HttpRequest request) =>
        {
            using var body = new MemoryStream();
            await request.Body.CopyToAsync(body);
            _last[replica] = body.ToArray();
            return Results.Bytes([], "application/x-protobuf");
        });
    }

    public static async Task<Collector> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var collector = new Collector(builder.Build());
        await collector._app.StartAsync().WaitAsync(ChildProcess.Timeout);
        return collector;
    }

    /// <summary>The environment that makes a replica send its figures here once a second.</summary>
    public Dictionary<string, string> EnvironmentOf(string replica) => new(StringComparer.Ordinal)
    {
        ["OTEL_EXPORTER_OTLP_ENDPOINT"] = $"{_app.Urls.Single()}/{replica}",
        ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/protobuf",
        ["OTEL_METRIC_EXPORT_INTERVAL"] = "1000",
    };

    /// <summary>The series that Prometheus would make of the replica's last export; empty before the first.</summary>
    public Dictionary<string, double> SeriesOf(string replica) =>
        _last.TryGetValue(replica, out var export) ? OtlpSeries.Read(export, "AsyncProbe") : [];

    public ValueTask DisposeAsync() => _app.DisposeAsync();
}
