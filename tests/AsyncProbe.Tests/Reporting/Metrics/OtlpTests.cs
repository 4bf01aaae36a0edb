using System.Text;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;

namespace AsyncProbe.Tests.Reporting.Metrics;

public sealed class OtlpTests
{
    [Fact]
    public async Task Export_CarriesTheMetrics_OverLoopback()
    {
        var received = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var collector = await StartCollectorAsync(received);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait/{id}", (int id) => Task.Delay(Waiting.LongEnoughMs).Wait()));
        using var provider = Sdk.CreateMeterProviderBuilder()
            .AddMeter("AsyncProbe")
            .AddOtlpExporter((exporter, reader) =>
            {
                exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
                exporter.Endpoint = new Uri(collector.Urls.Single() + "/v1/metrics");
                reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds = int.MaxValue;
            })
            .Build();

        await app.GetAsync("/wait/1");
        await app.EndpointAsync("GET /wait/{id}");

        // The row is there a moment before the histograms are; a second request comes certainly after the first one's end.
        await app.GetAsync("/wait/2");
        await app.EndpointAsync("GET /wait/{id}", 2);
        provider.ForceFlush(10_000).ShouldBeTrue();

        var text = Encoding.Latin1.GetString(await received.Task.WaitAsync(ProbedApp.Timeout));
        text.ShouldContain("asyncprobe.request.held");
        text.ShouldContain("asyncprobe.request.cpu");
        text.ShouldContain("asyncprobe.request.blocked");
        text.ShouldContain("asyncprobe.blocking.calls");
        text.ShouldContain("asyncprobe.thread_pool.queue_delay");
        text.ShouldContain("asyncprobe.thread_pool.blocked_threads");
        text.ShouldContain("/wait/{id}");
        text.ShouldContain("Task.Wait");
    }

    private static async Task<WebApplication> StartCollectorAsync(TaskCompletionSource<byte[]> received)
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
            received.TrySetResult(body.ToArray());
            return Results.Bytes([], "application/x-protobuf");
        });
        await collector.StartAsync().WaitAsync(ProbedApp.Timeout);
        return collector;
    }
}
