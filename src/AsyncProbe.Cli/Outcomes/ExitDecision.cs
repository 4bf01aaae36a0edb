using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Outcomes;

/// <summary>Decides the exit code for a result, and why when it is not 0.</summary>
internal static class ExitDecision
{
    private const string Interrupted = "Interrupted: the figures cover the time until then.";

    public static (int Code, string? Why) Decide(IReadOnlyList<RunResult> runs) => Decide(
        runs, [.. runs.SelectMany(run => run.Thresholds)], runs.Any(run => run.Interrupted), isComparison: false);

    public static (int Code, string? Why) Decide(ComparisonResult comparison) => Decide(
        [.. comparison.Sessions.SelectMany(session => session.Rounds)], comparison.Thresholds, comparison.Interrupted, isComparison: true);

    public static (int Code, string? Why) Decide(ObservationResult observation) => observation switch
    {
        { Observed: 0 } => (ExitCode.NothingMeasured, "Nothing was observed: no replica answered."),
        { Interrupted: true } => (ExitCode.Interrupted, Interrupted),
        _ => Judge(observation.Thresholds),
    };

    public static (int Code, string? Why) Decide(StateResult state) => Judge(state.Thresholds);

    /// <summary>
    /// Finds a run in which more than half of the requests failed, so that its figures describe the failures. A single pass is exempt
    /// because it only tries each request, and so is a run with a threshold on failures, because the user has decided how many are
    /// acceptable.
    /// </summary>
    private static RunResult? MostlyFailed(IReadOnlyList<RunResult> runs, IReadOnlyList<ThresholdResult> thresholds, bool isComparison)
    {
        var bad = runs.Where(run => run.Total.FailedShare > 0.5 && run.Load.Model != LoadShape.OncePass).ToList();
        var decided = thresholds.Any(threshold => threshold.IsAboutFailures);
        return bad.Count == 0 || decided || (!isComparison && bad.Count < runs.Count) ? null : bad[0];
    }

    private static (int Code, string? Why) Decide(
        IReadOnlyList<RunResult> runs, IReadOnlyList<ThresholdResult> thresholds, bool interrupted, bool isComparison)
    {
        if (interrupted)
        {
            return (ExitCode.Interrupted, Interrupted);
        }

        // A sweep looks for the rate that the server can't take, so some of its steps may fail. A comparison needs figures of every round.
        var nothing = isComparison ? runs.Any(run => run.Total.Succeeded == 0) : runs.All(run => run.Total.Succeeded == 0);
        if (nothing)
        {
            var failed = runs.First(run => run.Total.Succeeded == 0);
            var reason = failed.Total.FailureReasons.Keys.FirstOrDefault();
            return (ExitCode.NothingMeasured, reason is null
                ? $"{failed.Session}: nothing was measured, because no request was answered in the measured time. Run it longer (-s), or "
                    + "with fewer threads (-t)."
                : $"{failed.Session}: nothing was measured, because every request failed: {reason}.");
        }

        if (MostlyFailed(runs, thresholds, isComparison) is { } bad)
        {
            return (ExitCode.NothingMeasured,
                $"{bad.Session}: {RunWarnings.MostlyFailed(bad)} A threshold on failed.rate or failed.count says how many may fail.");
        }

        return Judge(thresholds);
    }

    private static (int Code, string? Why) Judge(IReadOnlyList<ThresholdResult> thresholds)
    {
        var missing = thresholds.FirstOrDefault(threshold => threshold.ServerFigureMissing);
        if (missing is not null)
        {
            return (ExitCode.ServerFiguresMissing,
                $"The threshold {missing.Expression} needs server figures that are not available: is AsyncProbe mapped at /_threadpool "
                    + "(or given with --probe URL), and does the server's system provide this figure?");
        }

        var broken = thresholds.Where(threshold => !threshold.Holds).Select(threshold => threshold.Expression).Distinct().ToList();
        return broken.Count == 0
            ? (ExitCode.Done, null)
            : (ExitCode.ThresholdFailed, $"{(broken.Count == 1 ? "Threshold" : "Thresholds")} not met: {string.Join(", ", broken)}");
    }
}
