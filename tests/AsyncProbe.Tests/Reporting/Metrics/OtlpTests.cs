using System.Collections.Concurrent;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;

namespace AsyncProbe.Tests.Reporting.Metrics;

/// <summary>What a collector gets, and that Prometheus would make the same series of it as of the text.</summary>
public sealed class OtlpTests
{
    // These change all the time, so two reads see different values.
    private static readonly string[] s_moving = ["asyncprobe_thread_pool_"];

    [Fact]
    public async Task Export_BecomesTheSeriesOfTheText_NameByName()
    {
        // An exporter takes the meters of the whole process, so a host left over from another test would add its own.
        Meters.Alive().ShouldBe(0);
        ConcurrentQueue<byte[]> received = new();
        await using var collector = await StartCollectorAsync(received);
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/wait/{id}", (int id) => Waiting.TaskToWaitFor().Wait());
            a.MapPost("/sleep", () => Thread.Sleep(20));
            a.MapGet("/allowed", () =>
            {
                using (BlockingScope.Allow("a test"))
                {
                    Waiting.TaskToWaitFor().Wait();
                }
            });
            a.MapGet("/late", () =>
            {
                // Continues after the response, so it belongs to no request.
                _ = Task.Run(() => Thread.Sleep(50));
            });
        });
        using var provider = Sdk.CreateMeterProviderBuilder()
            .AddMeter("AsyncProbe")
            .AddOtlpExporter((exporter, reader) =>
            {
                exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
                exporter.Endpoint = new Uri(collector.Urls.Single() + "/v1/metrics");
                reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds = int.MaxValue;
            })
            .Build();

        for (var i = 0; i < 5; i++)
        {
            await app.GetAsync($"/wait/{i}");
            await app.Client.PostAsync(new Uri("/sleep", UriKind.Relative), null);
        }

        using (AsyncProbeOperation.Start("nightly import"))
        {
            Thread.Sleep(20);
        }

        await app.GetAsync("/allowed");
        await app.GetAsync("/late");
        await app.GetAsync("/nowhere");
        await app.EndpointAsync("GET /wait/{id}", 5);
        await app.EndpointAsync("POST /sleep", 5);
        await app.EndpointAsync("GET /late");
        await app.EndpointAsync("(unmatched)");

        // The meter gets the blocked time of call sites one tick later.
        var differences = "no export";
        await Eventually.TrueAsync(
            async () =>
            {
                provider.ForceFlush(10_000).ShouldBeTrue();
                var text = ParsedText.Read(await app.TextAsync("/_threadpool/metrics"), isOpenMetrics: false);
                differences = Compare(OtlpSeries.Read(received.Last(), "AsyncProbe"), text.Series);
                return differences.Length == 0;
            },
            () => differences);
    }

    private static string Compare(Dictionary<string, double> export, IReadOnlyDictionary<string, double> text)
    {
        var lines = export.Keys.Except(text.Keys).Select(s => $"only exported: {s}")
            .Concat(text.Keys.Except(export.Keys).Select(s => $"only in the text: {s}"))
            .Concat(text.Where(
                s => !Array.Exists(s_moving, s.Key.StartsWith) && export.TryGetValue(s.Key, out var value)
                    && Math.Abs(value - s.Value) > 1e-9)
                .Select(s => $"{s.Key} is {s.Value}, and {export[s.Key]} exported"));
        return string.Join('\n', lines);
    }

    private static async Task<WebApplication> StartCollectorAsync(ConcurrentQueue<byte[]> received)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var collector = builder.Build();
        collector.MapPost("/v1/metrics", async (HttpRequest request) =>
        {
            request.ContentType.ShouldBe("application/x-protobuf");
            using var body = new MemoryStream();
            await request.Body.CopyToAsync(body);
            received.Enqueue(body.ToArray());
            return Results.Bytes([], "application/x-protobuf");
        });
        await collector.StartAsync().WaitAsync(ProbedApp.Timeout);
        return collector;
    }
}
