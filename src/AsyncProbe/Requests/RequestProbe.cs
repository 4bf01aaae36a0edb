using System.Diagnostics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Requests;

/// <summary>
/// The account of one request, or of one operation. Threads add their segments to it; several may at once, when the request starts <c>Task.Run</c> work.
/// It holds no <c>HttpContext</c> and is never pooled, because timers and statics may capture its execution context for ever.
/// </summary>
internal sealed class RequestProbe : IAsyncProbeFeature
{
    // A request older than this hands its figures over while it lasts, so that a stream of hours shows in the report.
    private const long HandOverAfter = Nanoseconds.PerSecond;

    // What still runs this long after its response is a background job under a borrowed context, and no longer this request's cost.
    private const long AfterResponseLimit = 10 * 60 * Nanoseconds.PerSecond;

    private long _shortHeld;
    private long _cpu;
    private long _cpuWait;
    private long _gc;
    private long _blocked;
    private int _arrivals;
    private int _segments;
    private long _endedAt;
    private long _handedOverAt;
    private HandedOver? _handedOver;
    private RequestWaits? _waits;

    /// <summary>When the request came in.</summary>
    public long StartedAt { get; private set; }

    /// <summary>When the last segment ended; its departure has just looked at the clock.</summary>
    public long DepartedAt { get; private set; }

    /// <summary>The totals of the request's endpoint; null until the endpoint is known.</summary>
    public EndpointTotals? Totals { get; private set; }

    /// <summary>The wait hook that the request carries from thread to thread; null when it was never armed.</summary>
    public CarriedHook? Armed { get; set; }

    /// <summary>What the hook found; null when it was not armed and nothing else told of a wait.</summary>
    public RequestWaits? Waits
    {
        get => Volatile.Read(ref _waits);
        set => Volatile.Write(ref _waits, value);
    }

    /// <summary>The innermost permission that the request's code has opened and not left, for those who look from another thread.</summary>
    public WaitPermission? Permission { get; set; }

    /// <summary>Of an operation what its flow belonged to before, a request or another operation; null when it was nobody's.</summary>
    public RequestProbe? Outer { get; private set; }

    public bool IsFromCache { get; set; }

    /// <summary>Whether the request is counted, but the server still runs what belongs to it: its held time is the request's.</summary>
    public bool IsCompleting { get; set; }

    public bool HasEnded => Volatile.Read(ref _endedAt) != 0;

    public int Segments => _segments;

    /// <summary>
    /// How many segments are open. Counted without a lock: two threads that arrive or depart in the same nanosecond may count as one.
    /// </summary>
    public int OpenCount => Volatile.Read(ref _arrivals) - Volatile.Read(ref _segments);

    TimeSpan IAsyncProbeFeature.Held => Nanoseconds.ToTimeSpan(SoFarOnAllThreads().Held);

    TimeSpan? IAsyncProbeFeature.Cpu => ThreadClock.HasCpu ? Nanoseconds.ToTimeSpan(SoFarOnAllThreads().Cpu) : null;

    TimeSpan? IAsyncProbeFeature.Blocked => ThreadClock.HasCpu ? Nanoseconds.ToTimeSpan(SoFarOnAllThreads().Blocked) : null;

    /// <summary>Names the endpoint; the first call wins, because error handlers name another one later.</summary>
    public void Attribute(EndpointTotals totals)
    {
        if (Totals is null)
        {
            Totals = totals;
            totals.Begin();
            Waits?.Attribute(totals);
        }
    }

    /// <summary>Says what the flow of an operation belonged to before.</summary>
    public void Nest(RequestProbe? outer)
    {
        // What has ended is left out, or operations that start one another for ever would keep all that were before them.
        Outer = Living(outer);
        Outer?.Outer = Living(Outer.Outer);
    }

    /// <summary>What the flow of an operation belongs to when it has ended.</summary>
    public RequestProbe? Resume() => Living(Outer);

    public void Begin(long now)
    {
        StartedAt = now;
        _handedOverAt = now;
    }

    public RequestWaits WaitsOrNew()
    {
        if (Waits is { } waits)
        {
            return waits;
        }

        waits = new RequestWaits(Activity.Current);
        return Interlocked.CompareExchange(ref _waits, waits, null) ?? waits;
    }

    public void AddShortSegment(long held, long now)
    {
        DepartedAt = now;
        if (HasEnded)
        {
            AddAfterResponse(HeldSplit.AllCpu(held), now);
            return;
        }

        Interlocked.Add(ref _shortHeld, held);
        CountSegment();
        HandOverIfDue(now);
    }

    public void AddSegment(HeldSplit split, long now)
    {
        DepartedAt = now;
        if (HasEnded)
        {
            AddAfterResponse(split, now);
            return;
        }

        Add(split);
        CountSegment();
        HandOverIfDue(now);
    }

    /// <summary>A thread begins a segment. Not interlocked, as <see cref="CountSegment"/>.</summary>
    public void CountArrival() => _arrivals++;

    /// <summary>
    /// The closed segments and all open ones: a response may be written while the thread that computed it is still on its way out, and while
    /// work that the request has started goes on. Asks other threads only when there are more open segments than the calling thread's.
    /// </summary>
    public HeldSplit SoFarOnAllThreads()
    {
        var isMine = ThreadSlots.Mine?.Probe == this;
        return OpenCount <= (isMine ? 1 : 0) ? SoFar() : OpenSegments.Sum(this);
    }

    /// <summary>The closed segments, and the open one if it is the calling thread's.</summary>
    public HeldSplit SoFar()
    {
        var closed = Closed();
        return ThreadSlots.Mine is { } slot && slot.Probe == this ? closed + slot.SoFar(Nanoseconds.Now()) : closed;
    }

    /// <summary>The closed segments.</summary>
    public HeldSplit Closed()
    {
        var cpu = Volatile.Read(ref _cpu) + Volatile.Read(ref _shortHeld);
        var cpuWait = Volatile.Read(ref _cpuWait);
        var gc = Volatile.Read(ref _gc);
        var blocked = Volatile.Read(ref _blocked);
        return new HeldSplit(cpu + cpuWait + gc + blocked, cpu, cpuWait, gc, blocked);
    }

    /// <summary>
    /// Disarms the probe: what still runs under it is counted apart, as after the response.
    /// </summary>
    /// <returns>The request's figures, and the part of them that the endpoint's totals do not hold yet.</returns>
    public (HeldSplit Whole, HeldSplit Remainder) End(long now)
    {
        Volatile.Write(ref _endedAt, now);
        Armed?.End();
        var whole = Closed();
        return (whole, _handedOver is { } handed ? whole - handed.Split : whole);
    }

    // What still runs under a request that has ended is counted as after its response; an operation that has ended is passed over.
    private static RequestProbe? Living(RequestProbe? probe)
    {
        while (probe is { HasEnded: true, Totals.IsOperation: true })
        {
            probe = probe.Outer;
        }

        return probe;
    }

    // Not interlocked: two threads that end a segment of one request in the same nanosecond may count as one, and every await is spared 5 ns.
    private void CountSegment() => _segments++;

    private void Add(HeldSplit split)
    {
        Interlocked.Add(ref _cpu, split.Cpu);
        Interlocked.Add(ref _cpuWait, split.CpuWait);
        Interlocked.Add(ref _gc, split.Gc);
        Interlocked.Add(ref _blocked, split.Blocked);
    }

    private void HandOverIfDue(long now)
    {
        var last = Volatile.Read(ref _handedOverAt);
        if (now - last < HandOverAfter || Totals is not { } totals
            || Interlocked.CompareExchange(ref _handedOverAt, now, last) != last)
        {
            return;
        }

        // The one thread that moved the mark writes; the next may come a second later at the earliest.
        var whole = Closed();
        var handed = _handedOver?.Split ?? default;
        totals.AddRunning(whole - handed, whole);
        _handedOver = new HandedOver(whole);
    }

    private void AddAfterResponse(HeldSplit split, long now)
    {
        if (IsCompleting)
        {
            AddLate(split);
            return;
        }

        var endedAt = Volatile.Read(ref _endedAt);
        if (now - endedAt > AfterResponseLimit)
        {
            // A loop that a request once started would otherwise pay for the hook for ever.
            Armed?.Disarm();
            return;
        }

        // A segment that was open when the response ended belongs to both, by time.
        var before = Math.Max(0, endedAt - (now - split.Held));
        if (before > 0 && split.Held > 0)
        {
            AddLate(split.Scaled((double)before / split.Held));
        }

        if (Totals is { } totals)
        {
            totals.AddAfterResponse(split.Held - before);
            if (split.Blocked > 0)
            {
                NoteLateWait(totals, split.Blocked - (long)((double)before / split.Held * split.Blocked), now);
            }
        }
    }

    // Only what the hook watched tells whether its places are known.
    private void NoteLateWait(EndpointTotals totals, long blocked, long now)
    {
        totals.NoteBlockedAfterResponse(blocked);
        if (totals.LateWaits is { } late && blocked >= late.Minimum && Waits is { } waits && Armed is { IsWatchedToTheEnd: true } armed && ThreadSlots.Mine?.Armed == armed)
        {
            late.Add(blocked, waits.TakeLate(), locks: 0, now);
        }
    }

    // The request's own, and yet not in what was counted when it ended.
    private void AddLate(HeldSplit split)
    {
        Add(split);
        Totals?.AddRunning(split, Closed());
    }

    /// <summary>A box, so that the common short request does not carry five more fields.</summary>
    private sealed record HandedOver(HeldSplit Split);
}
