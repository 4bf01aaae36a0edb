using AsyncProbe.Pool;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>Takes a stack snapshot and joins it with the segments that were open before and after, and so with endpoints.</summary>
internal sealed class SnapshotTaker(BlockingSites sites, Frames frames, LiveWaits live, EndpointTable endpoints)
{
    // A shorter wait may be over before the sample is taken.
    private const long Blocked = 20 * Nanoseconds.PerMillisecond;

    private readonly Lock _lock = new();
    private List<SampledWait> _waits = [];

    /// <returns>What was found to block, longest first.</returns>
    public IReadOnlyList<SampledWait> Take(IStackSource source)
    {
        var before = HeldThread.Blocked(Blocked);
        if (before.Count == 0)
        {
            return [];
        }

        var stacks = source.Sample(before.Keys.ToHashSet());
        List<SampledWait> found = [];
        foreach (var stack in stacks)
        {
            if (before.TryGetValue(stack.OsThreadId, out var thread) && Join(thread, stack) is { } wait)
            {
                found.Add(wait);
            }
        }

        found.Sort((a, b) => b.Held.CompareTo(a.Held));
        return found;
    }

    /// <summary>Counts on what goes on, and lets go of what is over. For the watcher's thread.</summary>
    public void Follow(LiveSegments segments)
    {
        lock (_lock)
        {
            if (_waits.Count == 0)
            {
                return;
            }

            // An ended thread's slot may still be there beside the one that has its number now.
            Dictionary<int, LiveSegment> byThread = [];
            foreach (var segment in segments.All)
            {
                byThread[segment.OsThreadId] = segment;
            }

            _waits.RemoveAll(wait =>
            {
                if (wait.Follow(byThread.GetValueOrDefault(wait.OsThreadId)))
                {
                    return false;
                }

                live.RemoveSampled(wait.Live);
                return true;
            });
        }
    }

    public void Reset()
    {
        lock (_lock)
        {
            _waits.ForEach(wait => live.RemoveSampled(wait.Live));
            _waits = [];
        }
    }

    private SampledWait? Join(HeldThread thread, StackSample stack)
    {
        // Another host in this process has its own snapshots.
        if (thread.Probe.Totals is not { } totals || !endpoints.Owns(totals) || stack.Places.Any(IsHooked))
        {
            return null;
        }

        if (BlameFrame.Find(stack.Places, frames, thread.Probe.Totals?.Handler) is not { } blame || thread.StillBlocked() is not var (held, blocked))
        {
            return null;
        }

        lock (_lock)
        {
            var wait = _waits.Find(w => w.Is(thread, blame.Kind, blame.At)) ?? Add(thread, blame, stack.Places, totals);
            wait.Book(held, blocked);
            return wait;
        }
    }

    // What the hook watches it books itself, and better: with its end. On the frames beneath, it only posted what runs here.
    private bool IsHooked(StackPlace place) =>
        frames.Of(place.Method) is { Owner: FrameOwner.Hook, MethodName: nameof(BlockingContext.Wait) };

    private SampledWait Add(HeldThread thread, BlameFrame blame, IReadOnlyList<StackPlace> places, EndpointTotals totals)
    {
        // EF Core tells of its commands itself when they end.
        var site = blame.Kind == WaitKind.EfCore
            ? null
            : sites.Of(blame, BlockingScope.ReasonOf(thread.Probe, totals.AllowReason), places, frames);
        var at = new LiveWait(thread.Probe, thread.OsThreadId, blame.Kind, blame.Place(frames));
        var wait = new SampledWait(thread, at, site);
        _waits.RemoveAll(w => w.OsThreadId == thread.OsThreadId);
        _waits.Add(wait);
        live.Sampled(at);
        return wait;
    }
}
