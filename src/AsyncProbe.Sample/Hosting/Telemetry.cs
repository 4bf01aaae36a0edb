using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;

namespace AsyncProbe.Sample.Hosting;

/// <summary>Sends the meters to a collector when <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> names one.</summary>
internal sealed class Telemetry(IConfiguration configuration) : IHostedService, IDisposable
{
    private MeterProvider? _meters;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (!string.IsNullOrEmpty(configuration["OTEL_EXPORTER_OTLP_ENDPOINT"]))
        {
            _meters = Sdk.CreateMeterProviderBuilder()
                .ConfigureResource(resource => resource.AddService("AsyncProbe.Sample"))
                .AddMeter("AsyncProbe", "System.Runtime")
                .AddOtlpExporter()
                .Build();
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        // The last figures leave while the process still may.
        _meters?.ForceFlush(2_000);
        return Task.CompletedTask;
    }

    public void Dispose() => _meters?.Dispose();
}
