using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Stories.Tests.Hosting;

/// <summary>What the sample sends to a collector.</summary>
[SideBySide]
public sealed class TelemetryTests
{
    [Fact]
    public async Task Meters_ReachTheCollector_WhenOneIsNamed()
    {
        var received = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var collector = await TestApp.StartAsync(Collector(received));
        await using var sample = await SampleProcess.StartAsync(
            new Dictionary<string, string>
            {
                ["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.Address.ToString(),
                ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/protobuf",
                ["OTEL_METRIC_EXPORT_INTERVAL"] = "300",
            },
            "--Sample:Upstream", "false");
        await sample.TextAsync("/values/sleep?ms=5");

        var metrics = await received.Task.WaitAsync(TestApp.Timeout);

        metrics.ShouldContain("AsyncProbe.Sample");
    }

    // Protocol buffers store text unchanged, so the instrument names can be read without a schema.
    private static WebApplication Collector(TaskCompletionSource<string> received)
    {
        var builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var app = builder.Build();
        app.MapPost("/v1/metrics", async (HttpRequest request) =>
        {
            using var body = new MemoryStream();
            await request.Body.CopyToAsync(body);
            var text = Encoding.Latin1.GetString(body.ToArray());
            if (text.Contains("dotnet.thread_pool", StringComparison.Ordinal))
            {
                received.TrySetResult(text);
            }
        });
        return app;
    }
}
