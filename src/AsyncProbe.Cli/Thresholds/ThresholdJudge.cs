using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Thresholds;

/// <summary>Compares thresholds with a run's frozen figures.</summary>
internal static class ThresholdJudge
{
    public static RunResult Judge(RunResult run, IReadOnlyList<Threshold> thresholds) =>
        run with { Thresholds = [.. thresholds.Select(threshold => Judge(run, threshold))] };

    private static ThresholdResult Judge(RunResult run, Threshold threshold)
    {
        var actual = ThresholdMetrics.Value(run, threshold);
        // No sample is not a good sample.
        var holds = actual is { } value && threshold.Holds(value);
        return new(threshold.Expression, actual is null ? null : Math.Round(actual.Value, 6), holds, threshold.NeedsServer && actual is null, ThresholdMetrics.Note(run, threshold)) 
        {
            IsAboutFailures = threshold.IsAboutFailures,
            Unit = threshold.Unit,
        };
    }
}
