using System.Globalization;

namespace AsyncProbe.Cli.Results;

/// <summary>What a reader must know before believing the figures.</summary>
internal static class RunWarnings
{
    public static string MostlyFailed(RunResult run) => string.Create(CultureInfo.InvariantCulture,
        $"most requests failed, {run.Total.Failed:N0} of {run.Total.Requests:N0} ({string.Join(", ", run.Total.FailureReasons.Take(3).Select(pair => $"{pair.Value:N0} × {pair.Key}"))}): the times are those of the others.");

    public static IReadOnlyList<string> Of(RunResult run)
    {
        var warnings = new List<string>();
        if (run.Total is { FailedShare: > 0.5, Succeeded: > 0 } && run.Load.Model != LoadShape.OncePass)
        {
            warnings.Add(MostlyFailed(run));
        }

        if (run.Client.Limits.Count > 0)
        {
            warnings.Add($"client-limited: {string.Join("; ", run.Client.Limits)}. The figures may be the tool's, not the server's.");
        }

        if (run.Load.ShorterThanRequests)
        {
            warnings.Add(string.Create(CultureInfo.InvariantCulture,
                $"the requests take longer than the run: the last answer came {run.Load.WaitedSeconds:0.#} s after its end. What was sent in the warm-up counts too, and requests a second are over all the time until then. Run it longer (-s), or with fewer threads (-t)."));
        }

        if (run.Unanswered > 0 && run.UnansweredOldestMs > 2 * (run.Total.TimeMs?.P50Ms ?? 0))
        {
            warnings.Add(string.Create(CultureInfo.InvariantCulture,
                $"{run.Unanswered} requests had no answer yet when the time was up; the oldest had waited {run.UnansweredOldestMs / 1000:0.0} s. They are in no percentile, so the true ones are higher."));
        }

        if (run.Load.PlannedPerSecond is { } planned && !run.Interrupted && run.Total.RequestsPerSecond < 0.95 * planned)
        {
            warnings.Add(string.Create(CultureInfo.InvariantCulture,
                $"the server fell behind: {run.Total.RequestsPerSecond:0.#} of {planned:0.#} planned requests a second were answered in time."));
        }

        return warnings;
    }
}
