using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Sites;

/// <summary>Tells the pool's doctor where the threads wait.</summary>
internal sealed class WaitFinder(LiveWaits live, BlockingSites sites) : IWaitFinder
{
    private const string LockRemedy = "Hold that lock for less time, or share less; await does not help there.";

    public SegmentWait Of(LiveSegment segment)
    {
        if (live.Of(segment) is { } wait)
        {
            return new SegmentWait(wait.At.Text, NeedsPool(wait.Kind))
            {
                Remedy = WaitPermission.ReasonFor(segment.Probe, segment.Probe.Totals?.AllowReason) is { } reason
                    ? $"That wait is allowed ({reason}), and keeps the threads all the same: await there, or wait on a thread of its own."
                    : wait.Kind == WaitKind.Lock ? LockRemedy : null,
            };
        }

        return segment.IsUnmanaged
            ? new SegmentWait(null, NeedsPool: false) { Seen = WaitsSeen.NoPlace }
            : new SegmentWait(null, NeedsPool: null);
    }

    public bool WantsToRun(LiveSegment segment) => ThreadClock.WantsToRun(segment.OsThreadId);

    public string? WorstOf(string endpoint, bool isSampled) => Worst(endpoint, isSampled)?.Text;

    public string? RemedyOf(string endpoint, bool isSampled) => Worst(endpoint, isSampled) switch
    {
        { Provider: { } provider } => $"{provider} waits in its asynchronous methods too: fewer or shorter commands help, await does not.",
        { StackKind: WaitKind.Lock } => LockRemedy,
        _ => null,
    };

    private BlockingSite? Worst(string endpoint, bool isSampled) =>
        sites.Read()
            .Where(site => (!isSampled || site.IsSampled) && site.Allowed is null && site.At is not null && site.Of(endpoint) is not null)
            .MaxBy(site => site.Of(endpoint)!.Blocked);

    // What the operating system answers comes without a pool thread; who holds a lock may or may not need one.
    private static bool? NeedsPool(WaitKind kind) => kind switch
    {
        WaitKind.Sleep or WaitKind.Native or WaitKind.Process or WaitKind.SyncIO or WaitKind.SyncDb or WaitKind.Join => false,
        WaitKind.Lock or WaitKind.EfCore or WaitKind.Other => null,
        _ => true,
    };
}
