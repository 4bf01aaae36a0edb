using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>Takes a stack snapshot and matches it with the segments that were open before and after, and so with endpoints.</summary>
internal sealed class SnapshotTaker(BlockingSites sites, Frames frames, LiveWaits live, EndpointTable endpoints)
{
    // A shorter wait may be over before the sample is taken.
    private static Duration Blocked => Duration.FromMilliseconds(5);

    // Requests that wait in step, as in a starved pool, start and finish together. A snapshot that begins between two rounds must still
    // find waits.
    private static Duration Timeout => Duration.FromMilliseconds(200);

    private static Duration TimeoutOfASession => Duration.FromMilliseconds(20);

    private readonly Lock _lock = new();
    private List<SnapshotWait> _waits = [];

    /// <returns>The waits that were found, longest first.</returns>
    public IReadOnlyList<SnapshotWait> Take(IStackSource source)
    {
        if (AwaitBlocked(Timeout).Count == 0)
        {
            return [];
        }

        // Check the threads right before and right after the stacks are taken, because starting a session and resolving names takes longer
        // than most waits.
        Dictionary<int, HeldThread> before = [];
        Dictionary<int, HeldTimes> after = [];
        var stacks = source.Sample(
            () => (before = AwaitBlocked(TimeoutOfASession)).Keys.ToHashSet(),
            () => after = StillBlocked(before));
        if (after.Count > 0 && !ThreadClock.HasExactCpu)
        {
            // With an inexact clock, a thread that works would look as if it waited. The session is over, so sleeping here costs no
            // samples.
            Thread.Sleep(ThreadClock.LongestStandstill.ToTimeSpan());
            after = StillBlocked(before);
        }

        List<SnapshotWait> found = [];
        foreach (var stack in stacks)
        {
            if (before.TryGetValue(stack.OsThreadId, out var thread) && after.TryGetValue(stack.OsThreadId, out var still)
                && Match(thread, stack, still) is { } wait)
            {
                found.Add(wait);
            }
        }

        found.Sort((a, b) => b.Held.CompareTo(a.Held));
        return found;
    }

    /// <summary>Counts the time of waits in progress, and drops waits that are over. For the watcher's thread.</summary>
    public void Follow()
    {
        lock (_lock)
        {
            if (_waits.Count == 0)
            {
                return;
            }

            _waits.RemoveAll(wait =>
            {
                if (wait.Follow())
                {
                    return false;
                }

                live.RemoveFromSnapshot(wait.Live);
                return true;
            });
        }
    }

    public void Reset()
    {
        lock (_lock)
        {
            _waits.ForEach(wait => live.RemoveFromSnapshot(wait.Live));
            _waits = [];
        }
    }

    private static Dictionary<int, HeldTimes> StillBlocked(Dictionary<int, HeldThread> before) =>
        before.Select(thread => (Id: thread.Key, Times: thread.Value.StillBlocked())).Where(thread => thread.Times is not null)
            .ToDictionary(thread => thread.Id, thread => thread.Times!.Value);

    private static Dictionary<int, HeldThread> AwaitBlocked(Duration timeout)
    {
        var since = Timestamp.Now();
        while (true)
        {
            if (HeldThread.Blocked(Blocked) is var found && (found.Count > 0 || since.Elapsed() >= timeout))
            {
                return found;
            }

            Thread.Sleep(1);
        }
    }

    private SnapshotWait? Match(HeldThread thread, StackSample stack, HeldTimes times)
    {
        // Another host in this process takes its own snapshots.
        if (thread.Probe.Totals is not { } totals || !endpoints.Owns(totals) || stack.Frames.Any(IsHooked))
        {
            return null;
        }

        if (BlameFrame.Find(stack, frames, thread.Probe.Totals?.Handler) is not { } blame)
        {
            return null;
        }

        lock (_lock)
        {
            var wait = _waits.Find(w => w.Is(thread, blame.Kind, blame.At)) ?? Add(thread, blame, stack.Frames, totals);
            wait.Record(times);
            return wait;
        }
    }

    // The hook records the waits that it watches, and it knows when they end. Other frames of the hook only posted the code that runs here.
    private bool IsHooked(SampledFrame frame) =>
        frames.Get(frame.Method) is { Owner: FrameOwner.Hook, MethodName: nameof(BlockingContext.Wait) };

    private SnapshotWait Add(HeldThread thread, BlameFrame blame, IReadOnlyList<SampledFrame> stack, EndpointTotals totals)
    {
        // EF Core reports its commands itself when they end.
        var site = blame.Kind == WaitKind.EfCore
            ? null
            : sites.GetOrAdd(blame, thread.AllowedBecause(totals.AllowReason), stack, frames);
        var at = new LiveWait(thread.Probe, thread.OsThreadId, blame.Kind, blame.ToSiteFrame(frames));
        var wait = new SnapshotWait(thread, at, site);
        if (site is not null)
        {
            thread.Probe.Waits?.NoteWriter(site, Timestamp.Now());
            wait.Stack = sites.Keep(site, wait.Row, stack, frames);
        }

        if (thread.StillBlocked() is not null)
        {
            _waits.RemoveAll(w => w.OsThreadId == thread.OsThreadId);
            _waits.Add(wait);
            live.AddFromSnapshot(at);
        }

        return wait;
    }
}
