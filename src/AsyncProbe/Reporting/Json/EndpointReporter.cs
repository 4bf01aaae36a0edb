using System.Text.Json;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;

namespace AsyncProbe.Reporting.Json;

/// <summary>Makes an endpoint's row in the report: its counts, and the verdict and advice that follow from them.</summary>
/// <param name="threads">Gives the number of pool threads that a prediction may assume, within the pool's minimum and maximum, from the
/// most that the pool had.</param>
/// <param name="serverOverhead">The server's CPU time per request outside the request's segments; zero if it wasn't measured.</param>
/// <param name="sites">The evidence from call sites, by endpoint.</param>
/// <param name="willLook">Whether the wait hook looks for call sites.</param>
/// <param name="hasSnapshots">Whether stack snapshots look for call sites that the hook can't see.</param>
/// <param name="code">Reads the endpoints' code where nothing else shows what they wait for.</param>
internal sealed class EndpointReporter(
    Func<int, int> threads, Duration serverOverhead, IReadOnlyDictionary<string, EndpointSites> sites, bool willLook, bool hasSnapshots,
    ProvidersInCode code)
{
    private const double MostOfIt = 0.5;

    private static readonly string[] s_names = [.. Enum.GetNames<Verdict>().Select(JsonNamingPolicy.CamelCase.ConvertName)];

    private static readonly double[] s_shares = [0.50, 0.95, 0.99];

    public EndpointReport Describe(EndpointFigures figures)
    {
        var sum = figures.Sum;
        var endpoint = CaseOf(figures);
        var verdict = Verdicts.Decide(endpoint);
        return new EndpointReport(
            figures.Totals.Endpoint,
            sum.Requests,
            figures.InFlight,
            sum.Count(Figure.Failed),
            sum.Count(Figure.Aborted),
            sum.Count(Figure.FromCache),
            ThreadClock.IsWithdrawn ? null : Times(figures, sum.Held, Longest.Held),
            Times(figures, Figure.Cpu, Longest.Cpu, ThreadClock.HasCpu),
            Times(figures, Figure.Blocked, Longest.Blocked, ThreadClock.HasCpu),
            ThreadClock.HasCpu ? sum.Count(Figure.Unallowed) : null,
            ThreadClock.HasCpu ? Math.Round(sum.UnallowedSquares, 3) : null,
            Times(figures, Figure.Allowed, Longest.Allowed, ThreadClock.HasCpu),
            Times(figures, Figure.CpuWait, Longest.CpuWait, ThreadClock.HasCpuWait),
            Times(figures, Figure.Gc, Longest.Gc, ThreadClock.HasCpu),
            Times(figures, Figure.BlockedInGc, Longest.BlockedInGc, ThreadClock.HasCpu),
            Times(figures, sum.Time(Figure.AfterResponse), Longest.AfterResponse),
            sum.Requests == 0 ? null : Math.Round((double)sum.Count(Figure.Segments) / sum.Requests, 3),
            Durations(figures, sum.MeanDuration),
            Recent(endpoint),
            endpoint.Ceiling is { } ceiling ? new CeilingReport(ceiling.Threads, ceiling.Now, ceiling.IfAsync) : null,
            s_names[(int)verdict],
            endpoint.IsCollecting && ThreadClock.HasCpu ? new CollectingReport(endpoint.Requests, Verdicts.RequestsNeeded) : null,
            Advice.Write(endpoint, verdict),
            Advice.HelpFor(endpoint, verdict),
            figures.Totals.Waits?.Explained is { } explained ? Math.Round(explained, 3) : null);
    }

    private EndpointCase CaseOf(EndpointFigures figures)
    {
        var (totals, window) = (figures.Totals, BasisOf(figures));
        var (sum, mine) = (window.Sum, sites.GetValueOrDefault(totals.Endpoint, EndpointSites.None));
        var placed = Placed(figures, mine);
        var parts = Parts(totals, window, mine, placed ?? 0);
        var inCode = InCode(totals, mine);
        if (inCode is not null)
        {
            parts = parts with { Provider = parts.Provider + parts.Avoidable };
        }

        // A place that explains almost none of the blocked time must not be named as the cause.
        var isMinor = totals.WaitsSeen == WaitsSeen.NothingFound;
        var worst = !isMinor ? mine.WorstToAwait
            : mine.SampledEvidence.IsWorthNaming(figures.Sum.Blocked - figures.Sum.Allowed) ? mine.WorstFromSnapshot
            : null;
        return new EndpointCase
        {
            Mean = sum.Mean,
            Requests = sum.Requests,
            Parts = parts,

            // The first requests include JIT time, and a rate that is computed from them would be too low.
            Ceiling = ThreadClock.HasCpu && figures.Window.Sum.Requests >= Verdicts.RequestsNeeded
                ? Ceiling.Create(sum.Mean, parts.Avoidable, serverOverhead, threads(window.MostThreads), Cores.InForce)
                : null,
            HasClock = ThreadClock.HasCpu,
            IsOperation = totals.IsOperation,
            MeanDuration = sum.MeanDuration,
            Suspensions = sum.Suspensions,
            QueueDelay = window.QueueDelay,
            BlockedRequests = sum.Count(Figure.Unallowed),
            BlockedSquares = sum.UnallowedSquares,
            HasChanged = window.HasChanged,
            Calm = window.Calm is { Requests: > 0 } calm
                ? new AwaitedTime(calm.Mean, calm.MeanDuration, calm.Suspensions, window.CalmQueueDelay)
                : null,
            Worst = worst?.ToPlace(),
            WorstLock = mine.WorstLock?.ToPlace(),
            MinorPlace = isMinor ? mine.WorstToAwait?.ToPlace() : null,
            IsWorstMostOfIt = IsMostOfIt(totals, mine, isMinor, placed ?? 1),
            HasOtherPlaces = worst is not null && placed is { } known && HasOthers(
                parts, known, isMinor ? mine.WorstFromSnapshotShare : mine.ShareToAwait, window.HasChanged),
            BlockedAsWriter = parts.Blocked * ((placed ?? 0) * mine.PartOf(mine.OfWriters)),
            Seen = totals.WaitsSeen,
            WillLook = willLook,
            HasSnapshots = hasSnapshots,
            Provider = mine.Provider ?? totals.Provider ?? inCode,
            IsProviderFromCode = inCode is not null,
            IsProviderBusy = sum.Time(Figure.ProviderRetries) > sum.Time(Figure.Provider) * MostOfIt,
            AllowedReason = totals.AllowReason ?? mine.WorstAllowed?.Allowed,
        };
    }

    /// <summary>
    /// The verdict is based on the last busy minutes. If those have too few warm requests, it's based on all requests, provided that
    /// measured waits are most of their held time. The first requests include JIT time, but that isn't a wait.
    /// </summary>
    private static EndpointWindow BasisOf(EndpointFigures figures)
    {
        var (window, all) = (figures.Window, figures.Sum);
        return window.Sum.Requests < Verdicts.RequestsNeeded && all.Requests >= Verdicts.RequestsNeeded
            && figures.Totals.Waits is { Requests: >= Evidence.WatchedRequests, Explained: { } explained }
            && (all.Blocked - all.Allowed) * explained > all.Held * MostOfIt
                ? window with { Sum = all }
                : window;
    }

    // The shares of places cover all requests. After a change, they say nothing about how long the last requests waited where.
    private static bool HasOthers(BlockedParts parts, double placed, double share, bool hasChanged) =>
        hasChanged ? share < 1 : !parts.IsNearlyAll(parts.Blocked * (placed * share));

    // A provider that nothing has seen, and that most of the time without a place was probably spent in.
    private SynchronousProvider? InCode(EndpointTotals totals, EndpointSites sites) =>
        !hasSnapshots && totals.WaitsSeen == WaitsSeen.NothingFound && totals.Provider is null && sites.Provider is null
            ? code.Find(totals.Handler)
            : null;

    /// <summary>The share of the blocked time whose call site is known; null if no request was watched or sampled.</summary>
    private static double? Placed(EndpointFigures figures, EndpointSites sites)
    {
        var watched = figures.Totals.Waits?.Explained;
        if (sites.Evidence.Hits == 0)
        {
            return watched;
        }

        // With enough hits, their ratio applies to the rest of the blocked time. With few, only the time they saw counts.
        var all = AllHits(figures.Totals, sites);
        var blocked = figures.Sum.Blocked - figures.Sum.Allowed;
        var sampled = all >= Evidence.HitsForAShare ? (double)sites.Evidence.Hits / all
            : blocked <= Duration.Zero ? 0 : Math.Min(1, sites.Evidence.Sampled.RatioTo(blocked));
        return (watched ?? 0) + ((1 - (watched ?? 0)) * sampled);
    }

    private static int AllHits(EndpointTotals totals, EndpointSites sites) => sites.Evidence.Hits + UnplacedHits(totals);

    private static int UnplacedHits(EndpointTotals totals) => totals.Waits?.UnplacedHits ?? 0;

    private static bool IsMostOfIt(EndpointTotals totals, EndpointSites sites, bool isMinor, double placed)
    {
        var (share, evidence) = isMinor
            ? (sites.WorstFromSnapshotShare, sites.SampledEvidence)
            : (sites.ShareToAwait, sites.EvidenceToAwait);
        return share * placed >= MostOfIt
            && (evidence.Measured > evidence.Sampled
                || Evidence.IsMost(evidence.Hits, AllHits(totals, sites), Evidence.HitsForMost));
    }

    private static BlockedParts Parts(EndpointTotals totals, EndpointWindow window, EndpointSites sites, double placed)
    {
        var sum = window.Sum;
        var blocked = sum.Mean.Blocked;

        // Scopes and attributes cover every request. A rule counts only where its method was seen waiting.
        var byRule = blocked * (placed * sites.PartOf(sites.Allowed));
        var allowed = Duration.Max(sum.MeanAllowed, Duration.Min(byRule, blocked));

        // EF Core's events report every command, so they come first. Locks, estimated from the few requests that were watched, get at most
        // what remains. For other providers, only waits that were seen count.
        var commands = Duration.Clamp(sum.MeanOf(Figure.Provider), Duration.Zero, blocked - allowed);
        var watchedLocks = (blocked - commands) * ((totals.Waits?.LockShare ?? 0) * sites.RefinedLocks);
        var sampledLocks = blocked * (placed * sites.PartOf(sites.InSampledLocks));
        var locks = Duration.Min(Duration.Max(watchedLocks, sampledLocks), blocked - allowed - commands);
        var seen = (blocked - commands) * (placed * sites.PartBesideCommands(sites.InProvider));
        var provider = Duration.Min(Duration.Max(commands, seen), blocked - allowed - locks);
        var rest = blocked - allowed - locks - provider;
        var withoutPlace = Duration.Min(blocked * (1 - placed), rest);
        var unclear = BlockedParts.UnclearOf(sum.Mean, withoutPlace);

        // If none of the places that the watched requests showed can be awaited, only time without a place may be awaitable. The figures
        // of locks and of the provider, which come from all requests, can add up to less than that.
        var unawaitable = sites.WorstToAwait is null ? rest - withoutPlace : blocked * (placed * sites.PartOf(sites.Unawaitable));
        return new BlockedParts(blocked, allowed, locks, provider)
        {
            Unclear = unclear,
            Unplaced = BlockedParts.UnplacedOf(
                sum.Mean,
                HasEnoughEvidence(totals, sites)
                    ? Duration.Clamp(withoutPlace - unclear + unawaitable, Duration.Zero, (rest - unclear).OrZero())
                    : (rest - unclear).OrZero(),
                Evidence.IsMost(UnplacedHits(totals), AllHits(totals, sites), Evidence.HitsForMost)),
        };
    }

    // A call site that only a few stack samples have shown is not enough reason to change code.
    private static bool HasEnoughEvidence(EndpointTotals totals, EndpointSites sites) =>
        (totals.Waits is { Requests: >= Evidence.WatchedRequests } && sites.Evidence.IsMeasured)
        || Evidence.IsMost(sites.AwaitableHits, AllHits(totals, sites), Evidence.HitsForAShare);

    private static RecentReport? Recent(EndpointCase endpoint)
    {
        var (mean, parts) = (endpoint.Mean, endpoint.Parts);
        return endpoint.Requests <= 0 ? null : new RecentReport(
            endpoint.Requests, mean.Held, If(mean.Cpu), If(parts.Blocked), If(parts.Allowed), If(parts.Locks), If(parts.Provider),
            If(parts.Unclear), If(parts.Unplaced), endpoint.MeanDuration);

        static Duration? If(Duration time) => ThreadClock.HasCpu ? time : null;
    }

    private static TimesReport? Times(EndpointFigures figures, Figure figure, Longest longest, bool isAvailable) =>
        isAvailable ? Times(figures, figures.Sum.Time(figure), longest) : null;

    private static TimesReport Times(EndpointFigures figures, Duration total, Longest longest) =>
        new(total, figures.Sum.Requests == 0 ? null : total / figures.Sum.Requests, figures.Longest.Of(longest));

    private static DurationReport Durations(EndpointFigures figures, Duration? mean)
    {
        Span<Duration?> percentiles = [null, null, null];
        figures.Durations.Percentiles(s_shares, percentiles);

        // The middle of the last bucket may be above the longest request.
        var max = figures.Longest.Of(Longest.Duration);
        foreach (ref var percentile in percentiles)
        {
            percentile = percentile is { } value ? Duration.Min(value, max) : null;
        }

        return new DurationReport(mean, percentiles[0], percentiles[1], percentiles[2], mean is null ? null : max);
    }
}
