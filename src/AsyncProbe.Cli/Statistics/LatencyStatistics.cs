using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Statistics;

/// <summary>How long requests took. Percentiles are never null: if nothing was measured, this object doesn't exist.</summary>
internal sealed record LatencyStatistics
{
    public required long Count { get; init; }
    public required double MinMs { get; init; }
    public required double MeanMs { get; init; }
    public required double P50Ms { get; init; }
    public required double P75Ms { get; init; }
    public required double P90Ms { get; init; }
    public required double P95Ms { get; init; }
    public required double P99Ms { get; init; }
    public required double P999Ms { get; init; }
    public required double MaxMs { get; init; }
    public required double StandardDeviationMs { get; init; }

    /// <summary>The percentiles with fewer than ten values above them, which one more slow request would change.</summary>
    public required IReadOnlyList<string> LowSamplePercentiles { get; init; }

    /// <summary>What the figures were calculated from; a loaded run doesn't have it.</summary>
    [JsonIgnore]
    public Histogram? Distribution { get; init; }

    public static LatencyStatistics? From(Histogram nanoseconds)
    {
        if (nanoseconds.Count == 0)
        {
            return null;
        }

        return new LatencyStatistics
        {
            Count = nanoseconds.Count,
            MinMs = Round(nanoseconds.Min),
            MeanMs = Round(nanoseconds.Mean),
            P50Ms = Round(nanoseconds.Percentile(50)),
            P75Ms = Round(nanoseconds.Percentile(75)),
            P90Ms = Round(nanoseconds.Percentile(90)),
            P95Ms = Round(nanoseconds.Percentile(95)),
            P99Ms = Round(nanoseconds.Percentile(99)),
            P999Ms = Round(nanoseconds.Percentile(99.9)),
            MaxMs = Round(nanoseconds.Max),
            StandardDeviationMs = Round(nanoseconds.StandardDeviation),
            LowSamplePercentiles = [.. new[] { 50, 75, 90, 95, 99, 99.9 }.Where(percent => IsLowSample(nanoseconds.Count, percent)).Select(
                PercentileName.Format)],
            Distribution = nanoseconds,
        };
    }

    public bool IsLowSample(double percent) => IsLowSample(Count, percent);

    private static bool IsLowSample(long count, double percent) => count * (100 - percent) / 100 < 10 - 1e-9;

    private static double Round(double nanoseconds) => Math.Round(nanoseconds / 1e6, 3);
}
