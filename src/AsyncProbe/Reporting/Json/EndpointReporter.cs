using System.Text.Json;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Prediction;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Json;

/// <summary>The report's row of an endpoint: what was counted, and what follows from it.</summary>
/// <param name="threads">Pool threads that a prediction may count on: given the most that the pool had, within its minimum and
/// maximum.</param>
/// <param name="serverOverhead">CPU time of the server outside a request's segments; zero when not measured.</param>
/// <param name="sites">What the call sites tell of each endpoint.</param>
/// <param name="willLook">Whether the wait hook looks for places.</param>
/// <param name="hasSnapshots">Whether stack snapshots look for those that it cannot see.</param>
internal sealed class EndpointReporter(
    Func<int, int> threads, Duration serverOverhead, IReadOnlyDictionary<string, EndpointSites> sites, bool willLook, bool hasSnapshots)
{
    private const double MostOfIt = 0.5;

    private static readonly string[] s_names = [.. Enum.GetNames<Verdict>().Select(JsonNamingPolicy.CamelCase.ConvertName)];

    private static readonly double[] s_shares = [0.50, 0.95, 0.99];

    public EndpointReport Describe(EndpointFigures figures)
    {
        var sum = figures.Sum;
        var state = StateOf(figures);
        return new EndpointReport(
            figures.Totals.Endpoint,
            sum.Requests,
            figures.InFlight,
            sum.Failed,
            sum.Aborted,
            sum.FromCache,
            TimesIf(!ThreadClock.IsWithdrawn, sum.Held, sum.HeldMax, sum.Requests),
            TimesIf(ThreadClock.HasCpu, sum.Cpu, sum.CpuMax, sum.Requests),
            TimesIf(ThreadClock.HasCpu, sum.Blocked, sum.BlockedMax, sum.Requests),
            ThreadClock.HasCpu ? sum.Unallowed : null,
            ThreadClock.HasCpu ? Math.Round(sum.UnallowedSquares, 3) : null,
            TimesIf(ThreadClock.HasCpu, sum.Allowed, sum.AllowedMax, sum.Requests),
            TimesIf(ThreadClock.HasCpuWait, sum.CpuWait, sum.CpuWaitMax, sum.Requests),
            TimesIf(ThreadClock.HasCpu, sum.Gc, sum.GcMax, sum.Requests),
            TimesIf(ThreadClock.HasCpu, sum.BlockedInGc, sum.BlockedInGcMax, sum.Requests),
            Times(sum.AfterResponse, sum.AfterResponseMax, sum.Requests),
            sum.Requests == 0 ? null : Math.Round((double)sum.Segments / sum.Requests, 3),
            Durations(figures, sum.Timed > 0 ? sum.Duration / sum.Timed : null),
            Recent(state),
            state.Ceiling is { } ceiling ? new CeilingReport(ceiling.Threads, ceiling.Now, ceiling.IfAsync) : null,
            s_names[(int)state.Verdict],
            state.IsCollecting && ThreadClock.HasCpu
                ? new CollectingReport(state.Window.Sum.Requests, Verdicts.RequestsNeeded)
                : null,
            Advice.For(state),
            Advice.HelpFor(state),
            figures.Totals.Waits?.Explained is { } explained ? Math.Round(explained, 3) : null);
    }

    private EndpointState StateOf(EndpointFigures figures)
    {
        var (totals, window) = (figures.Totals, figures.Window);
        var mine = sites.GetValueOrDefault(totals.Endpoint, EndpointSites.None);
        var parts = Parts(totals, window, mine);
        if (!ThreadClock.HasCpu || window.Sum.Requests < Verdicts.RequestsNeeded)
        {
            return new EndpointState(Verdict.NotEnoughData, window, parts, null) { IsOperation = totals.IsOperation };
        }

        // What explains next to nothing of the blocked time is not its place.
        var isTrifle = totals.WaitsSeen == WaitsSeen.NothingFound;
        var ceiling = Ceiling.Create(window.Sum.Mean, parts.Avoidable, serverOverhead, threads(window.MostThreads), Cores.InForce);
        var verdict = Verdicts.Decide(window, parts, ceiling);
        return new EndpointState(verdict, window, parts, ceiling)
        {
            IsOperation = totals.IsOperation,
            Worst = verdict == Verdict.LockContention ? mine.WorstLock : isTrifle ? mine.WorstFromSnapshot : mine.Worst,
            Trifle = isTrifle ? mine.Worst : null,
            IsWorstMostOfIt = isTrifle || mine.WorstShare * (mine.WorstFromSnapshot is null ? totals.Waits?.Explained ?? 1 : 1) >= MostOfIt,
            Seen = totals.WaitsSeen,
            WillLook = willLook,
            HasSnapshots = hasSnapshots,
            Provider = totals.Provider ?? mine.Provider,
            IsProviderBusy = window.Sum.ProviderRetries > window.Sum.Provider * MostOfIt,
            AllowedReason = totals.AllowReason ?? mine.WorstAllowed?.Allowed,
        };
    }

    private static BlockedParts Parts(EndpointTotals totals, EndpointWindow window, EndpointSites sites)
    {
        var sum = window.Sum;
        var blocked = sum.Mean.Blocked;

        // Scopes and attributes are known of every request, a rule only where somebody has seen its method wait.
        var explained = sites.WorstFromSnapshot is null ? totals.Waits?.Explained ?? 0 : 1;
        var byRule = sites.Blocked <= Duration.Zero ? Duration.Zero : blocked * (explained * sites.Allowed.RatioTo(sites.Blocked));
        var allowed = Duration.Max(sum.MeanAllowed, Duration.Min(byRule, blocked));

        // EF Core's events tell of every command, and leave the rest to the locks, of which a few watched requests tell; of other providers
        // only what was seen waiting.
        var commands = sum.Requests <= 0 ? Duration.Zero : Duration.Clamp(sum.Provider / sum.Requests, Duration.Zero, blocked - allowed);
        var locks = Duration.Min(blocked * (totals.Waits?.LockShare ?? 0), blocked - allowed - commands);
        var seen = sites.Blocked <= Duration.Zero ? Duration.Zero : blocked * (explained * sites.InProvider.RatioTo(sites.Blocked));
        var provider = Duration.Min(Duration.Max(commands, seen), blocked - allowed - locks);
        var withoutPlace = Duration.Min(blocked * (1 - explained), blocked - allowed - locks - provider);
        return new BlockedParts(blocked, allowed, locks, provider)
        {
            Unclear = BlockedParts.UnclearOf(sum.Mean, withoutPlace),
        };
    }

    private static RecentReport? Recent(EndpointState state)
    {
        var (sum, parts) = (state.Window.Sum, state.Parts);
        return sum.Requests <= 0 ? null : new RecentReport(
            sum.Requests, sum.Mean.Held, If(sum.Mean.Cpu), If(parts.Blocked), If(parts.Allowed), If(parts.Locks), If(parts.Provider),
            If(parts.Unclear), sum.MeanDuration);

        static Duration? If(Duration time) => ThreadClock.HasCpu ? time : null;
    }

    private static TimesReport? TimesIf(bool isAvailable, Duration total, Duration max, long requests) =>
        isAvailable ? Times(total, max, requests) : null;

    private static TimesReport Times(Duration total, Duration max, long requests) =>
        new(total, requests == 0 ? null : total / requests, max);

    private static DurationReport Durations(EndpointFigures figures, Duration? mean)
    {
        Span<Duration?> percentiles = [null, null, null];
        figures.Durations.Percentiles(s_shares, percentiles);

        // The middle of the last bucket may lie above the longest request.
        var max = figures.Sum.DurationMax;
        foreach (ref var percentile in percentiles)
        {
            percentile = percentile is { } value ? Duration.Min(value, max) : null;
        }

        return new DurationReport(mean, percentiles[0], percentiles[1], percentiles[2], mean is null ? null : max);
    }
}
