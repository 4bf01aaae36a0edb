using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// A wait that a snapshot saw, while it lasts. The snapshot shows where, and the thread's clock shows for how long. A thread that has run
/// since is in another wait, perhaps at another line.
/// </summary>
/// <param name="thread">The thread that waits.</param>
/// <param name="live">The wait, with its place.</param>
/// <param name="site">The site to count it at; null when EF Core reports the wait itself.</param>
internal sealed class SnapshotWait(HeldThread thread, LiveWait live, BlockingSite? site)
{
    private Duration _recorded;
    private bool _isCounted;

    public LiveWait Live { get; } = live;

    public string Endpoint { get; } = thread.Probe.Totals?.Endpoint ?? RowNames.Unmatched;

    /// <summary>The endpoint row to count it in. Work that a request left behind has a row of its own.</summary>
    public string Row => thread.HadEnded ? Endpoint + RowNames.AfterResponse : Endpoint;

    /// <summary>The stack to count it under; null when stacks are not kept.</summary>
    public SiteStack? Stack { get; set; }

    public int OsThreadId => Live.OsThreadId;

    /// <summary>How long its segment had held the thread at the last check.</summary>
    public Duration Held { get; private set; }

    /// <summary>How much of <see cref="Held"/> the thread was idle, in this wait or before it.</summary>
    public Duration Blocked { get; private set; }

    /// <summary>Whether a later snapshot saw the same wait.</summary>
    public bool Is(HeldThread other, WaitKind kind, FrameInfo at) =>
        thread.StillBlocked() is not null && thread.Probe == other.Probe && thread.StartedAt == other.StartedAt && Live.Kind == kind
            && Live.At.OnStack.Equals(at);

    /// <summary>Counts the time since the last check; false when the wait is over.</summary>
    public bool Follow()
    {
        if (thread.StillBlocked() is not { } times)
        {
            return false;
        }

        Record(times);
        return true;
    }

    public void Record(HeldTimes times)
    {
        (Held, Blocked) = (times.Held, times.Blocked);
        if (site is null)
        {
            return;
        }

        // The hook, EF Core, a window or an earlier snapshot may have counted a part of the request's time. And a wait may be over when its
        // stack is read: then its segment is closed.
        var (probe, waits) = (thread.Probe, thread.Probe.WaitsOrNew());
        var open = thread.IsStillHeld ? times.Blocked : Duration.Zero;
        var uncounted = _recorded + waits.Uncounted(probe.Closed().Blocked + open);
        var whole = thread.HadEnded ? times.Wait : Duration.Min(times.Wait, uncounted);
        var more = whole - _recorded;
        if (more <= Duration.Zero && _isCounted)
        {
            return;
        }

        site.AddFromSnapshot(!_isCounted, more.OrZero(), whole, Row, Stack, probe.IsCold);
        (_recorded, _isCounted) = (Duration.Max(whole, _recorded), true);
        if (!thread.HadEnded)
        {
            waits.AddSampled(more.OrZero());
        }

        if (!probe.HasEnded)
        {
            waits.AddSeen(whole, site);
        }
    }
}
