using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// A wait that a snapshot saw, while it lasts. The snapshot says where; for how long, the thread's clock says: a thread that has run is in
/// another wait, at another line perhaps.
/// </summary>
/// <param name="thread">Who waits.</param>
/// <param name="live">Where.</param>
/// <param name="site">What it is counted for; null when somebody else counts it when it ends.</param>
internal sealed class SnapshotWait(HeldThread thread, LiveWait live, BlockingSite? site)
{
    private Duration _recorded;
    private bool _isCounted;

    public LiveWait Live { get; } = live;

    public string Endpoint { get; } = thread.Probe.Totals?.Endpoint ?? EndpointName.Unmatched;

    /// <summary>The row that it is counted in: work that was left behind has one of its own.</summary>
    public string Row => thread.HadEnded ? Endpoint + EndpointName.AfterResponse : Endpoint;

    /// <summary>The stack that it is counted under; null when stacks are not kept.</summary>
    public SiteStack? Stack { get; set; }

    public int OsThreadId => Live.OsThreadId;

    /// <summary>For how long its segment had held the thread when it was last looked at.</summary>
    public Duration Held { get; private set; }

    /// <summary>For how much of that the thread did nothing, in this wait or before it.</summary>
    public Duration Blocked { get; private set; }

    /// <summary>Whether a later snapshot saw the same wait.</summary>
    public bool Is(HeldThread other, WaitKind kind, FrameInfo at) =>
        thread.StillBlocked() is not null && thread.Probe == other.Probe && thread.StartedAt == other.StartedAt && Live.Kind == kind
            && Live.At.OnStack.Equals(at);

    /// <summary>Counts what has come since the last look; false when the wait is over.</summary>
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

        // What the hook, EF Core or an allowed scope has accounted for was another wait, earlier in the request.
        var probe = thread.Probe;
        var unexplained = probe.SoFar().Blocked + times.Blocked - (probe.Waits?.Explained ?? Duration.Zero);
        var whole = (thread.HadEnded ? times.Wait : Duration.Min(times.Wait, unexplained)).OrZero();
        var more = whole - _recorded;
        if (more <= Duration.Zero && _isCounted)
        {
            return;
        }

        site.AddFromSnapshot(!_isCounted, more.OrZero(), whole, Row, Stack);
        (_recorded, _isCounted) = (Duration.Max(whole, _recorded), true);
        if (!probe.HasEnded)
        {
            probe.WaitsOrNew().Saw(whole, site);
        }
    }
}
