using System.Globalization;

namespace AsyncProbe.Cli.Runs;

/// <summary>Finds what a reader must know before believing a run's figures.</summary>
internal static class RunWarnings
{
    /// <summary>Below this share of the planned rate the server did not keep up.</summary>
    public const double KeptUp = 0.95;

    public static IReadOnlyList<RunWarning> Find(RunResult run)
    {
        var warnings = new List<RunWarning>();
        Add(RunWarningKind.MostlyFailed, run.Total is { FailedShare: > 0.5, Succeeded: > 0 } && run.Load.Model != LoadShape.OncePass, MostlyFailed(run));
        Add(RunWarningKind.ClientLimited, run.Client.Limits.Count > 0, $"client-limited: {string.Join("; ", run.Client.Limits)}. The figures may be those of this tool, not of the server.");
        Add(RunWarningKind.ShorterThanRequests, run.Load.ShorterThanRequests,
            $"the requests take longer than the run: the last answer came {run.Load.WaitedSeconds:0.#} s after its end. Requests sent during the warm-up are counted too, and throughput is averaged until the last answer, warm-up included. Use a longer run (-s) or fewer threads (-t).");
        Add(RunWarningKind.Unanswered, run.Unanswered > 0 && run.UnansweredOldestMs > 2 * (run.Total.TimeMs?.P50Ms ?? 0),
            $"{run.Unanswered} requests had no answer when the run ended; the oldest had waited {run.UnansweredOldestMs / 1000:0.0} s. No percentile includes them, so the true percentiles are higher.");
        Add(RunWarningKind.FellBehind, run.Load.PlannedPerSecond is { } planned && !run.Interrupted && run.Total.RequestsPerSecond < KeptUp * planned,
            $"the server fell behind: {run.Total.RequestsPerSecond:0.#} of {run.Load.PlannedPerSecond:0.#} planned requests a second were answered in time.");
        return warnings;

        void Add(RunWarningKind kind, bool applies, FormattableString text)
        {
            if (applies)
            {
                warnings.Add(new(kind, text.ToString(CultureInfo.InvariantCulture)));
            }
        }
    }

    public static FormattableString MostlyFailed(RunResult run) =>
        $"most requests failed, {run.Total.Failed:N0} of {run.Total.Requests:N0} ({Reasons(run)}): the times are those of the others.";

    private static string Reasons(RunResult run) =>
        string.Join(", ", run.Total.FailureReasons.Take(3).Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Value:N0} × {pair.Key}")));
}
