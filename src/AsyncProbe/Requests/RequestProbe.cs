using System.Diagnostics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Requests;

/// <summary>
/// The account of one request, or of one operation. Threads add their segments to it; several may at once, when the request starts
/// <c>Task.Run</c> work. It holds no <c>HttpContext</c> and is never pooled, because timers and statics may capture its execution context
/// for ever.
/// </summary>
internal sealed class RequestProbe : IAsyncProbeFeature
{
    // A request older than this hands its figures over while it lasts, so that a stream of hours shows in the report.
    private static Duration HandOverAfter => Duration.Second;

    // What still runs this long after its response is a background job under a borrowed context, and no longer this request's cost.
    private static Duration AfterResponseLimit => 10 * 60 * Duration.Second;

    private Duration _cpu;
    private Duration _cpuWait;
    private Duration _gc;
    private Duration _blocked;
    private Duration _blockedInGc;
    private int _arrivals;
    private int _segments;
    private Timestamp _endedAt;
    private Timestamp _handedOverAt;
    private HandedOver? _handedOver;
    private RequestWaits? _waits;

    /// <summary>When the request came in.</summary>
    public Timestamp StartedAt { get; private set; }

    /// <summary>When the last segment ended; its departure has just looked at the clock.</summary>
    public Timestamp DepartedAt { get; private set; }

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

    /// <summary>How an operation's activity leads here; null of a request.</summary>
    public OperationFlow? Operation { get; private set; }

    public bool IsFromCache { get; set; }

    /// <summary>Whether the request is counted, but the server still runs what belongs to it: its held time is the request's.</summary>
    public bool IsCompleting { get; set; }

    public bool HasEnded => Counter.Read(ref _endedAt) != default;

    /// <summary>Whether a thread that runs under it runs for it: what still does so long after its end is nobody's.</summary>
    public bool IsClaiming(Timestamp now) =>
        Counter.Read(ref _endedAt) is var endedAt && (endedAt == default || now - endedAt <= AfterResponseLimit);

    public int Segments => _segments;

    /// <summary>
    /// How many segments have begun. At the end there may be more of them than have ended: the code after an await goes on before the
    /// thread in front of it has left, which may have lost its core on its way out.
    /// </summary>
    public int Arrivals => Volatile.Read(ref _arrivals);

    /// <summary>
    /// How many segments are open. Counted without a lock: two threads that arrive or depart in the same nanosecond may count as one.
    /// </summary>
    public int OpenCount => Volatile.Read(ref _arrivals) - Volatile.Read(ref _segments);

    TimeSpan IAsyncProbeFeature.Held => SoFarOnAllThreads().Held.ToTimeSpan();

    TimeSpan? IAsyncProbeFeature.Cpu => ThreadClock.HasCpu ? SoFarOnAllThreads().Cpu.ToTimeSpan() : null;

    TimeSpan? IAsyncProbeFeature.Blocked => ThreadClock.HasCpu ? SoFarOnAllThreads().Blocked.ToTimeSpan() : null;

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

    /// <summary>Makes this the account of an operation.</summary>
    /// <param name="activity">The operation's.</param>
    /// <param name="outer">What its flow belonged to before.</param>
    public void Nest(Activity activity, RequestProbe? outer)
    {
        Operation = new OperationFlow(this, activity, outer);

        // What has ended is left out, or operations that start one another for ever would keep all that were before them.
        Outer = Living(outer);
        Outer?.Outer = Living(Outer.Outer);
    }

    /// <summary>What the flow of an operation belongs to when it has ended.</summary>
    public RequestProbe? Resume() => Living(Outer);

    public void Begin(Timestamp now)
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

    public void AddShortSegment(Duration held, Timestamp now)
    {
        DepartedAt = now;
        if (HasEnded)
        {
            AddAfterResponse(HeldSplit.AllCpu(held), now);
            return;
        }

        Counter.Add(ref _cpu, held);
        CountSegment();
        HandOverIfDue(now);
    }

    public void AddSegment(HeldSplit split, Timestamp now)
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
    /// The closed segments and all open ones: a response may be written while the thread that computed it is still on its way out, and
    /// while work that the request has started goes on. Asks other threads only when there are more open segments than the calling
    /// thread's.
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
        return ThreadSlots.Mine is { } slot && slot.Probe == this ? closed + slot.SoFar(Timestamp.Now()) : closed;
    }

    /// <summary>The closed segments.</summary>
    public HeldSplit Closed()
    {
        var cpu = Counter.Read(ref _cpu);
        var cpuWait = Counter.Read(ref _cpuWait);
        var gc = Counter.Read(ref _gc);
        var blocked = Counter.Read(ref _blocked);
        return new HeldSplit(cpu + cpuWait + gc + blocked, cpu, cpuWait, gc, blocked) { BlockedInGc = Counter.Read(ref _blockedInGc) };
    }

    /// <summary>
    /// Disarms the probe: what still runs under it is counted apart, as after the response.
    /// </summary>
    /// <returns>The request's figures, and the part of them that the endpoint's totals do not hold yet.</returns>
    public (HeldSplit Whole, HeldSplit Remainder) End(Timestamp now)
    {
        Counter.Write(ref _endedAt, now);
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

    // Not interlocked: two threads that end a segment of one request in the same nanosecond may count as one, and every await is spared 5
    // ns.
    private void CountSegment() => _segments++;

    private void Add(HeldSplit split)
    {
        Counter.Add(ref _cpu, split.Cpu);
        Counter.Add(ref _cpuWait, split.CpuWait);
        Counter.Add(ref _gc, split.Gc);
        Counter.Add(ref _blocked, split.Blocked);
        if (split.BlockedInGc > Duration.Zero)
        {
            Counter.Add(ref _blockedInGc, split.BlockedInGc);
        }
    }

    private void HandOverIfDue(Timestamp now)
    {
        var last = Counter.Read(ref _handedOverAt);
        if (now - last < HandOverAfter || Totals is not { } totals
            || !Counter.TryReplace(ref _handedOverAt, last, now))
        {
            return;
        }

        // The one thread that moved the mark writes; the next may come a second later at the earliest.
        var whole = Closed();
        var handed = _handedOver?.Split ?? default;

        // Made first. If that fails for want of memory, the totals are unchanged.
        var next = new HandedOver(whole);
        totals.AddRunning(whole - handed, whole);
        _handedOver = next;
    }

    private void AddAfterResponse(HeldSplit split, Timestamp now)
    {
        if (IsCompleting)
        {
            AddLate(split);
            return;
        }

        var endedAt = Counter.Read(ref _endedAt);
        if (now - endedAt > AfterResponseLimit)
        {
            // A loop that a request once started would otherwise pay for the hook for ever.
            Armed?.Disarm();
            return;
        }

        // A segment that was open when the response ended belongs to both, by time.
        var before = (endedAt - (now - split.Held)).OrZero();
        if (before > Duration.Zero && split.Held > Duration.Zero)
        {
            AddLate(split.Scaled(before.RatioTo(split.Held)));
        }

        if (Totals is { } totals)
        {
            totals.AddAfterResponse(split.Held - before);
            if (split.Blocked > Duration.Zero)
            {
                NoteLateWait(totals, split.Blocked - (split.Blocked * before.RatioTo(split.Held)), now);
            }
        }
    }

    // Only what the hook watched tells whether its places are known.
    private void NoteLateWait(EndpointTotals totals, Duration blocked, Timestamp now)
    {
        totals.NoteBlockedAfterResponse(blocked);
        if (totals.LateWaits is { } late && blocked >= late.Minimum && Waits is { } waits && Armed is { IsWatchedToTheEnd: true } armed
            && ThreadSlots.Mine?.Armed == armed)
        {
            late.Add(blocked, waits.TakeLate(), locks: Duration.Zero, now);
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
