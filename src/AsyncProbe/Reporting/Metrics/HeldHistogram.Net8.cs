using System.Diagnostics.Metrics;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Makes a histogram of held time. .NET 8 has no advice on buckets, so the exporter's own apply there.</summary>
internal static class HeldHistogram
{
    public static Histogram<double> Create(Meter meter, MetricDefinition metric) =>
        meter.CreateHistogram<double>(metric.Name, metric.Unit, metric.Description);
}
