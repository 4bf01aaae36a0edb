using AsyncProbe.Pool;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>
/// A wait that a snapshot saw, while its segment lasts. The snapshot says where; for how long, the thread's clock says, as long as the
/// thread does nothing else.
/// </summary>
/// <param name="thread">Who waits.</param>
/// <param name="live">Where.</param>
/// <param name="site">What it is counted for; null when somebody else counts it when it ends.</param>
internal sealed class SampledWait(HeldThread thread, LiveWait live, BlockingSite? site)
{
    private long _booked;
    private bool _isCounted;

    public LiveWait Live { get; } = live;

    public string Endpoint { get; } = thread.Probe.Totals?.Endpoint ?? EndpointName.Unmatched;

    public int OsThreadId => Live.OsThreadId;

    /// <summary>For how long its segment had held the thread when it was last looked at, in nanoseconds.</summary>
    public long Held { get; private set; }

    /// <summary>For how much of that the thread did nothing.</summary>
    public long Blocked { get; private set; }

    /// <summary>Whether a later snapshot saw the same wait.</summary>
    public bool Is(HeldThread other, WaitKind kind, FrameInfo at) =>
        thread.Probe == other.Probe && thread.StartedAt == other.StartedAt && Live.Kind == kind && Live.At.OnStack.Equals(at);

    /// <summary>Counts what has come since the last look; false when the wait is over.</summary>
    /// <param name="look">What the watcher sees of the thread now; null when it sees nothing.</param>
    public bool Follow(LiveSegment? look)
    {
        if (!thread.IsStillHeld || look is not { IsBlocked: true } || look.Probe != thread.Probe)
        {
            return false;
        }

        Book(look.Held, look.Held - (look.Cpu ?? 0));
        return true;
    }

    /// <param name="held">How long the segment has held the thread.</param>
    /// <param name="blocked">For how much of that the thread did nothing.</param>
    public void Book(long held, long blocked)
    {
        (Held, Blocked) = (held, blocked);
        if (site is null)
        {
            return;
        }

        // What the hook, EF Core or an allowed scope has accounted for was another wait, earlier in the request.
        var probe = thread.Probe;
        var unexplained = probe.SoFar().Blocked + blocked - (probe.Waits?.Explained ?? 0);
        var whole = Math.Max(0, probe.HasEnded ? blocked : Math.Min(blocked, unexplained));
        var more = whole - _booked;
        if (more <= 0 && _isCounted)
        {
            return;
        }

        site.AddSampled(!_isCounted, Math.Max(0, more), whole, probe.HasEnded ? Endpoint + " (after response)" : Endpoint);
        (_booked, _isCounted) = (Math.Max(whole, _booked), true);
        if (!probe.HasEnded)
        {
            probe.WaitsOrNew().Saw(whole, site);
        }
    }
}
