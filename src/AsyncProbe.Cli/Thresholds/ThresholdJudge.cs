using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Thresholds;

/// <summary>Compares thresholds with frozen figures.</summary>
internal static class ThresholdJudge
{
    public static RunResult Judge(RunResult run, IReadOnlyList<Threshold> thresholds) =>
        run with { Thresholds = [.. thresholds.Select(
            threshold => Judge(threshold, ThresholdMetrics.Value(run, threshold), ThresholdMetrics.Note(run, threshold)))] };

    /// <summary>A threshold on what several servers did: the mean of all their requests, or the worst of their pools.</summary>
    public static ThresholdResult Judge(IReadOnlyList<ServerSide> servers, Threshold threshold, string? note) =>
        Judge(threshold, ThresholdMetrics.Value(servers, threshold), note);

    private static ThresholdResult Judge(Threshold threshold, double? actual, string? note) => new(
        threshold.Expression,
        actual is null ? null : Math.Round(actual.Value, 6),
        // No sample is not a good sample.
        actual is { } value && threshold.Holds(value),
        threshold.NeedsServer && actual is null,
        note)
    {
        IsAboutFailures = threshold.IsAboutFailures,
        Unit = threshold.Unit,
    };
}
