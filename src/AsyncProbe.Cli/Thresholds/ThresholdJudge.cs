using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Thresholds;

/// <summary>Compares thresholds with final figures.</summary>
internal static class ThresholdJudge
{
    public static RunResult Judge(RunResult run, IReadOnlyList<Threshold> thresholds) =>
        run with { Thresholds = [.. thresholds.Select(
            threshold => Judge(threshold, ThresholdMetrics.Value(run, threshold), ThresholdMetrics.Note(run, threshold)))] };

    /// <summary>Judges a threshold over several servers: on the mean of all their requests, or the worst of their pools.</summary>
    public static ThresholdResult Judge(IReadOnlyList<ServerSide> servers, Threshold threshold, string? note) =>
        Judge(threshold, ThresholdMetrics.Value(servers, threshold), note);

    private static ThresholdResult Judge(Threshold threshold, double? actual, string? note) => new(
        threshold.Expression,
        actual is null ? null : Math.Round(actual.Value, 6),
        // A missing sample must not pass.
        actual is { } value && threshold.Holds(value),
        threshold.NeedsServer && actual is null,
        note)
    {
        IsAboutFailures = threshold.IsAboutFailures,
        Unit = threshold.Unit,
    };
}
