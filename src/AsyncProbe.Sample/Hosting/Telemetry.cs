using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;

namespace AsyncProbe.Sample.Hosting;

/// <summary>Exports the meters to the collector at <c>OTEL_EXPORTER_OTLP_ENDPOINT</c>, if that is set.</summary>
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
        // Send the last figures before the process ends.
        _meters?.ForceFlush(2_000);
        return Task.CompletedTask;
    }

    public void Dispose() => _meters?.Dispose();
}
