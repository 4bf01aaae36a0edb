using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Finds the cause of a queue delay. Pure: it decides only from its arguments.</summary>
internal static class PoolAnalyzer
{
    private const double MostlyGc = 50;
    private const double MostlyCpu = 80;

    // On a machine shared with others, the process may want all cores and get few.
    private const double FewOfTheCores = 50;

    // Threads that wait for tasks and finish nothing for this long will never finish.
    private static Duration StuckInWaits => 2 * Duration.Second;

    // Without the hook a long sleep looks the same, so this takes longer.
    private static Duration StuckAnyhow => 5 * Duration.Second;

    /// <param name="sample">The pool's figures.</param>
    /// <param name="live">The segments that are held now.</param>
    /// <param name="waits">Reports what the wait hook knows about a segment.</param>
    public static PoolDiagnosis Analyze(PoolSample sample, LiveSegments live, IWaitFinder waits)
    {
        // With many threads, the last look may be half a second old.
        var open = live.All.Where(s => s.IsOpen).ToList();
        var blocked = open.Where(s => s.IsBlocked).Where((s, i) => i >= LiveSegments.MostAsked || !waits.WantsToRun(s))
            .Select(s => (Segment: s, Wait: waits.Find(s))).ToList();
        var running = open.Count - blocked.Count;
        var cause = CauseOf(sample, blocked.Count, running, [.. blocked.Select(b => b.Wait)]);
        if (cause == PoolCause.Unknown && sample.Unclaimed * 2 > sample.Busy)
        {
            return Unclaimed(sample, Math.Min(open.Count, sample.Busy), Math.Min(blocked.Count, sample.Busy), waits);
        }

        var suspects = cause == PoolCause.Cpu
            ? [.. open.Except(blocked.Select(b => b.Segment)).Select(s => (Segment: s, Wait: default(SegmentWait)))]
            : blocked;

        var top = suspects
            .GroupBy(s => s.Segment.Probe.Totals?.Endpoint ?? RowNames.Unmatched)
            .MaxBy(g => g.Count());
        var endpointSeen = top?.First().Segment.Probe.Totals?.WaitsSeen ?? WaitsSeen.NotLooked;
        var isSampled = endpointSeen == WaitsSeen.NothingFound;
        var named = top?.Where(s => s.Wait.At is not null).GroupBy(s => s.Wait.At).MaxBy(g => g.Count());
        var isOfOthers = named is null && top is not null && cause != PoolCause.Cpu;
        var site = named?.Key ?? (isOfOthers ? waits.WorstOf(top!.Key, isSampled) : null);
        return new PoolDiagnosis(
            cause, sample, Math.Min(open.Count, sample.Busy), Math.Min(blocked.Count, sample.Busy), top?.Key,
            Math.Min(top?.Count() ?? 0, sample.Busy), site)
        {
            IsCrowdedOut = cause == PoolCause.Cpu && sample.Load is { CpuPercent: < FewOfTheCores } load && load.Length > Duration.Zero,
            InOperations = open.Count(s => s.Probe.Totals is { IsOperation: true }),
            Remedy = isOfOthers ? waits.RemedyOf(top!.Key, isSampled) : named?.First().Wait.Remedy,
            Seen = site is not null ? WaitsSeen.Found
                : endpointSeen == WaitsSeen.NotLooked && top is not null && top.Any(s => s.Wait.Seen == WaitsSeen.NothingFound)
                    ? WaitsSeen.NothingFound
                : endpointSeen,
        };
    }

    private static PoolDiagnosis Unclaimed(PoolSample sample, int inRequests, int blocked, IWaitFinder waits)
    {
        var idle = waits.CountRunningUnclaimed() is { } running ? Math.Max(0, sample.Unclaimed - running) : 0;
        var cause = idle * 2 > sample.Busy ? PoolCause.Blocked : PoolCause.Unknown;
        var site = waits.WorstUnclaimed;
        return new PoolDiagnosis(cause, sample, inRequests, blocked, null, 0, site)
        {
            IsUnclaimed = true,
            UnclaimedIdle = idle,
            Seen = site is null ? WaitsSeen.NotLooked : WaitsSeen.Found,
        };
    }

    private static PoolCause CauseOf(PoolSample sample, int blocked, int running, IReadOnlyList<SegmentWait> waits)
    {
        // Must come first: a thread that the collector has paused looks blocked.
        if (sample.Load.GcPercent >= MostlyGc)
        {
            return PoolCause.Gc;
        }

        if (blocked > running && blocked * 2 >= sample.Busy)
        {
            return IsDeadlock(sample, waits) ? PoolCause.Deadlock : PoolCause.Blocked;
        }

        return WantsTheCores(sample, running) || sample.Load.CpuPercent >= MostlyCpu ? PoolCause.Cpu : PoolCause.Unknown;
    }

    private static bool WantsTheCores(PoolSample sample, int running) => running * 2 >= sample.Busy && running >= Cores.InForce;

    private static bool IsDeadlock(PoolSample sample, IReadOnlyList<SegmentWait> waits)
    {
        if (sample.Threads < sample.MaximumThreads || sample.Pending == 0 || waits.Any(w => w.NeedsPool == false))
        {
            return false;
        }

        return sample.StuckFor >= (waits.All(w => w.NeedsPool == true) ? StuckInWaits : StuckAnyhow);
    }
}
