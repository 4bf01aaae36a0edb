using System.Diagnostics.Metrics;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Makes a histogram of held time.</summary>
internal static class HeldHistogram
{
    // Sum and count alone: five times sixteen buckets for each endpoint would be more series than a whole app has. Durations in buckets are
    // ASP.NET Core's http.server.request.duration.
    private static readonly InstrumentAdvice<double> s_noBuckets = new() { HistogramBucketBoundaries = [] };

    public static Histogram<double> Create(Meter meter, MetricDefinition metric) =>
        meter.CreateHistogram(metric.Name, metric.Unit, metric.Description, tags: null, s_noBuckets);
}
