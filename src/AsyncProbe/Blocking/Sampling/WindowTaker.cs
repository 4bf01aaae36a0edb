using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>Samples stacks for a while, and matches those of idle threads with endpoints and call sites.</summary>
internal sealed class WindowTaker(BlockingSites sites, Frames frames, EndpointTable endpoints)
{
    // Each sample stops all threads, and takes longer the more there are.
    private const int LongestMs = 300;
    private const int ShortestMs = 100;

    // Wait until a request holds a thread, so the window isn't wasted.
    private const int LongestWaitMs = 200;

    /// <param name="source">Takes the stacks.</param>
    /// <param name="due">The endpoints whose waits to look for.</param>
    /// <param name="sampled">How long threads were sampled.</param>
    public IReadOnlyList<WindowHit> Take(IStackSource source, HashSet<EndpointTotals> due, out Duration sampled)
    {
        sampled = Duration.Zero;
        var threads = IdleThreads.PoolThreads().Count;
        var duration = Duration.FromMilliseconds(Math.Clamp(LongestMs - threads, ShortestMs, LongestMs));

        // A request that waits before routing has no endpoint yet, and often has one when the window is over.
        var idle = new IdleThreads(probe => probe.Totals is not { } totals || due.Contains(totals));
        for (var waited = 0; !idle.AnyHeld(); waited++)
        {
            if (waited == LongestWaitMs)
            {
                return [];
            }

            Thread.Sleep(1);
        }

        sampled = duration;
        List<WindowHit> hits = [];
        foreach (var stack in source.SampleWindow(
            IdleThreads.PoolThreads, () => idle.Watch(duration),
            (thread, counted) => IsFirst(idle.Find(thread, Timestamp.FromStopwatch(counted)))))
        {
            if (idle.Find(stack.OsThreadId, Timestamp.FromStopwatch(stack.Timestamp)) is { } span && Match(span, stack, due) is { } hit)
            {
                hits.Add(hit);
            }
        }

        return hits;
    }

    // All samples within one wait show the same stack.
    private static bool IsFirst(IdleSpan? span)
    {
        if (span is null || span.IsHit)
        {
            return false;
        }

        span.IsHit = true;
        return true;
    }

    private WindowHit? Match(IdleSpan span, StackSample stack, HashSet<EndpointTotals> due)
    {
        // A wait that a scope allows doesn't count as blocked.
        if (span.Probe.Totals is not { } totals || !due.Contains(totals) || !endpoints.Owns(totals) || span.Permission is { Allows: true })
        {
            return null;
        }

        var beneath = BeneathTheHook(stack.Frames);
        var found = beneath is null
            ? BlameFrame.Find(stack, frames, totals.Handler)
            : BlameFrame.Find(beneath, frames, totals.Handler);
        if (found is not { } blame)
        {
            // The thread was idle, but nothing on its stack waits. The runtime may have stopped it.
            return beneath is null ? new WindowHit(totals, null, span.Length) : null;
        }

        // EF Core reports its commands itself.
        if (blame.Kind == WaitKind.EfCore)
        {
            return null;
        }

        // The hook records the waits that it watches, and a snapshot follows the waits that it found. The window must still know of them:
        // the other requests' waits are divided in proportion to what the window saw, and these would otherwise have no part in them.
        var waits = span.Probe.WaitsOrNew();
        var length = beneath is null ? Duration.Min(span.Length, waits.Uncounted(span.Probe.SoFarOnAllThreads().Blocked)) : Duration.Zero;
        if (length == Duration.Zero)
        {
            return sites.Find(blame) is { Allowed: null } known ? new WindowHit(totals, known, span.Length, IsTimed: true) : null;
        }

        waits.AddSampled(length);
        var site = sites.GetOrAdd(blame, reason: null, stack.Frames, frames);
        waits.NoteWriter(site, span.To);
        return new WindowHit(totals, site, length)
        {
            Stack = sites.Keep(site, totals.Endpoint, stack.Frames, frames),
            IsCold = span.Probe.IsCold,
        };
    }

    // The frames beneath the hook's, as the hook sees them; null when the hook isn't on the stack.
    private List<SampledFrame>? BeneathTheHook(IReadOnlyList<SampledFrame> stack)
    {
        for (var i = 0; i < stack.Count; i++)
        {
            if (frames.Get(stack[i].Method) is { Owner: FrameOwner.Hook, MethodName: nameof(BlockingContext.Wait) })
            {
                return [.. stack.Skip(i + 1)];
            }
        }

        return null;
    }
}
