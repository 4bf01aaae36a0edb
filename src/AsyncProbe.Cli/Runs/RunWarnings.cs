using System.Globalization;

namespace AsyncProbe.Cli.Runs;

/// <summary>Finds what readers need to know before they trust a run's figures.</summary>
internal static class RunWarnings
{
    /// <summary>Below this share of the planned rate, the server didn't keep up.</summary>
    private const double KeptUpShare = 0.95;

    public static IReadOnlyList<RunWarning> Find(RunResult run)
    {
        var warnings = new List<RunWarning>();
        Add(
            RunWarningKind.MostlyFailed, run.Total is { FailedShare: > 0.5, Succeeded: > 0 } && run.Load.Model != LoadShape.OncePass,
            MostlyFailed(run));
        Add(RunWarningKind.ClientLimited, run.Client.Limits.Count > 0, 
            $"Client-limited: {string.Join("; ", run.Client.Limits)}. The figures may show the limit of this tool and not the server's.");
        Add(RunWarningKind.ShorterThanRequests, run.Load.ShorterThanRequests,
            $"Run too short for these response times; results include warm-up. Increase -s.");
        // An interrupt always leaves some requests unanswered.
        Add(RunWarningKind.Unanswered,
            run.Unanswered > 0 && (!run.Interrupted || run.UnansweredOldestMs > 2 * (run.Total.TimeMs?.P50Ms ?? 0)),
            $"{run.Unanswered:N0} requests were still unanswered at the end, the oldest after {run.UnansweredOldestMs / 1000:0.0} s. They are in no percentile, so the true ones are higher.");
        Add(RunWarningKind.FellBehind,
            !run.Interrupted && !KeptUp(run),
            $"The server fell behind: it answered {Settled(run):0.#} of {run.Load.PlannedPerSecond:0.#} planned requests a second.");
        return warnings;

        void Add(RunWarningKind kind, bool applies, FormattableString text)
        {
            if (applies)
            {
                warnings.Add(new(kind, text.ToString(CultureInfo.InvariantCulture)));
            }
        }
    }

    /// <summary>Whether the server answered as many requests as were planned, except in the closed model, which plans none.</summary>
    public static bool KeptUp(RunResult run) => run.Load.PlannedPerSecond is not { } planned || Settled(run) >= KeptUpShare * planned;

    /// <summary>How many requests a second the server answered once a steady server has settled.</summary>
    public static double Settled(RunResult run) => run.Load.SettledPerSecond ?? run.Total.RequestsPerSecond;

    public static FormattableString MostlyFailed(RunResult run) =>
        $"Most requests failed: {run.Total.Failed:N0} of {run.Total.Requests:N0} ({Reasons(run)}). The response times are those of the rest.";

    private static string Reasons(RunResult run) =>
        string.Join(
            ", ",
            run.Total.FailureReasons.Take(3).Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Value:N0} × {pair.Key}")));
}
