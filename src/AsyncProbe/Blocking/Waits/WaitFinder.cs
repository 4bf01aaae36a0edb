using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Clocks;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Waits;

/// <summary>Finds where threads wait, for the pool diagnosis.</summary>
internal sealed class WaitFinder(HookStatus hook, LiveWaits live, BlockingSites sites, UnclaimedSites unclaimed) : IWaitFinder
{
    private const string LockRemedy = "Hold that lock for less time, or share less; await does not help there.";

    public bool WillLook => hook.IsLooking;

    public SegmentWait Find(LiveSegment segment)
    {
        if (live.Find(segment) is { } wait)
        {
            return new SegmentWait(wait.At.Text, wait.Kind.NeedsPool())
            {
                Remedy = WaitPermission.ReasonFor(segment.Probe, segment.Probe.Totals?.AllowReason) is { } reason
                    ? $"That wait is allowed ({reason}), and keeps the threads all the same: await there, or wait on a thread of its own."
                    : wait.Kind == WaitKind.Lock ? LockRemedy : null,
            };
        }

        return segment.IsUnmanaged
            ? new SegmentWait(null, NeedsPool: false) { Seen = WaitsSeen.NothingFound }
            : new SegmentWait(null, NeedsPool: null);
    }

    public string? WorstUnclaimed => unclaimed.Read() is [var most, ..] ? most.At.Text : null;

    public int? CountRunningUnclaimed()
    {
        HashSet<int> claimed = [];
        ThreadSlots.CountClaimed(claimed);
        return PoolWorkers.CountRunning(claimed);
    }

    public bool WantsToRun(LiveSegment segment) => ThreadClock.WantsToRun(segment.OsThreadId);

    public string? WorstOf(string endpoint, bool isSampled) => Worst(endpoint, isSampled)?.Text;

    public string? RemedyOf(string endpoint, bool isSampled) => Worst(endpoint, isSampled) switch
    {
        { Provider: { } provider } => $"{provider.Name} {provider.Behavior}: {provider.Relief}, await does not.",
        { StackKind: WaitKind.Lock } => LockRemedy,
        _ => null,
    };

    private BlockingSite? Worst(string endpoint, bool isSampled) =>
        sites.Read()
            .Where(
                site => (!isSampled || site.IsFromSnapshot) && site.Allowed is null && site.At is not null
                    && site.Find(endpoint) is not null)
            .MaxBy(site => site.LastingOf(site.Find(endpoint)!));
}
