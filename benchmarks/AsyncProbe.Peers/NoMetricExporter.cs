using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace AsyncProbe.Peers;

/// <summary>What sending costs depends on where to, so nothing is sent.</summary>
internal sealed class NoMetricExporter : BaseExporter<Metric>
{
    public override ExportResult Export(in Batch<Metric> batch) => ExportResult.Success;
}
