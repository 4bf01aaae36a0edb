using System.Diagnostics.Metrics;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Makes a histogram of held time.</summary>
internal static class HeldHistogram
{
    // Only sum and count: five histograms with sixteen buckets for each endpoint would be more series than a whole app has. For durations
    // in buckets, there is ASP.NET Core's http.server.request.duration.
    private static readonly InstrumentAdvice<double> s_noBuckets = new() { HistogramBucketBoundaries = [] };

    public static Histogram<double> Create(Meter meter, MetricDefinition metric) =>
        meter.CreateHistogram(metric.Name, metric.Unit, metric.Description, tags: null, s_noBuckets);
}
