using System.Diagnostics.Metrics;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Makes a histogram of held time. In .NET 8 an instrument can't suggest its buckets, so the exporter's defaults apply.</summary>
internal static class HeldHistogram
{
    public static Histogram<double> Create(Meter meter, MetricDefinition metric) =>
        meter.CreateHistogram<double>(metric.Name, metric.Unit, metric.Description);
}
