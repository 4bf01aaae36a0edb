using AsyncProbe.Pool;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>Tells the pool's doctor where the threads wait.</summary>
internal sealed class WaitFinder(LiveWaits live, BlockingSites sites) : IWaitFinder
{
    // By then the hook has seen a wait, where it is; what it has not seen is no managed wait.
    public const long NotedBy = 1200 * Nanoseconds.PerMillisecond;

    public SegmentWait Of(LiveSegment segment)
    {
        if (live.Of(segment) is { } wait)
        {
            return new SegmentWait(wait.At.Text, NeedsPool(wait.Kind));
        }

        return segment.IsUnmanaged
            ? new SegmentWait(null, NeedsPool: false) { Seen = WaitsSeen.NoPlace }
            : new SegmentWait(null, NeedsPool: null);
    }

    public bool WantsToRun(LiveSegment segment) => ThreadClock.WantsToRun(segment.OsThreadId);

    public string? WorstOf(string endpoint, bool isSampled) =>
        sites.Read()
            .Where(site => (!isSampled || site.IsSampled) && site.Allowed is null && site.At is not null && site.Of(endpoint) is not null)
            .MaxBy(site => site.Of(endpoint)!.Blocked)?.Text;

    // What the operating system answers comes without a pool thread; who holds a lock may or may not need one.
    private static bool? NeedsPool(WaitKind kind) => kind switch
    {
        WaitKind.Sleep or WaitKind.Native or WaitKind.Process or WaitKind.SyncIO or WaitKind.SyncDb or WaitKind.Join => false,
        WaitKind.Lock or WaitKind.EfCore or WaitKind.Other => null,
        _ => true,
    };
}
