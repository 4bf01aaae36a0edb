using System.Text.Json;
using AsyncProbe.Pool;
using AsyncProbe.Requests;

namespace AsyncProbe.Reporting;

/// <summary>The report's row of an endpoint: what was counted, and what follows from it.</summary>
/// <param name="threads">Pool threads that a prediction may count on.</param>
/// <param name="serverShare">CPU time of the server outside a request's segments, in nanoseconds; 0 when not measured.</param>
/// <param name="sites">Names the worst call site.</param>
internal sealed class EndpointReporter(int threads, long serverShare, SiteReporter sites)
{
    private static readonly string[] s_names = [.. Enum.GetNames<Verdict>().Select(JsonNamingPolicy.CamelCase.ConvertName)];

    private static readonly double[] s_shares = [0.50, 0.95, 0.99];

    public EndpointReport Describe(EndpointFigures figures)
    {
        var sum = figures.Sum;
        var mean = figures.WarmMean();
        long? meanDuration = sum.Timed > 0 ? sum.Duration / sum.Timed : null;
        var waits = figures.Totals.Waits;
        var lockBlocked = (long)(mean.Blocked * (waits?.LockShare ?? 0));
        var verdict = ThreadClock.HasCpu ? Verdicts.Decide(figures.WarmRequests, mean, lockBlocked, meanDuration) : Verdict.NotEnoughData;
        var ceiling = verdict == Verdict.NotEnoughData ? null : Ceiling.Of(mean, mean.Blocked - lockBlocked, serverShare, threads, Cores.InForce);
        return new EndpointReport(
            figures.Totals.Endpoint,
            sum.Requests,
            figures.InFlight,
            sum.Failed,
            sum.Aborted,
            sum.FromCache,
            Times(sum.Held, sum.HeldMax, sum.Requests),
            TimesIf(ThreadClock.HasCpu, sum.Cpu, sum.CpuMax, sum.Requests),
            TimesIf(ThreadClock.HasCpu, sum.Blocked, sum.BlockedMax, sum.Requests),
            TimesIf(ThreadClock.HasWaiting, sum.Waiting, sum.WaitingMax, sum.Requests),
            TimesIf(ThreadClock.HasCpu, sum.Gc, sum.GcMax, sum.Requests),
            Times(sum.AfterResponse, sum.AfterResponseMax, sum.Requests),
            sum.Requests == 0 ? null : Math.Round((double)sum.Segments / sum.Requests, 3),
            Durations(figures, meanDuration),
            ceiling is null ? null : new CeilingReport(ceiling.Threads, ceiling.Now, ceiling.IfAsync),
            s_names[(int)verdict],
            Advice.For(verdict, figures.WarmRequests, mean, meanDuration, ceiling, sites.WorstOf(figures.Totals.Endpoint, isSampled: waits?.IsHardlyExplained ?? false), figures.Totals.WaitsSeen),
            waits?.Explained is { } explained ? Math.Round(explained, 3) : null);
    }

    private static TimesReport? TimesIf(bool isAvailable, long total, long max, long requests) =>
        isAvailable ? Times(total, max, requests) : null;

    private static TimesReport Times(long total, long max, long requests) =>
        new(total, requests == 0 ? null : total / requests, max);

    private static DurationReport Durations(EndpointFigures figures, long? mean)
    {
        Span<long?> percentiles = [null, null, null];
        figures.Durations.Percentiles(s_shares, percentiles);

        // The middle of the last bucket may lie above the longest request.
        var max = figures.Sum.DurationMax;
        foreach (ref var percentile in percentiles)
        {
            percentile = percentile is { } value ? Math.Min(value, max) : null;
        }

        return new DurationReport(mean, percentiles[0], percentiles[1], percentiles[2], mean is null ? null : max);
    }
}
