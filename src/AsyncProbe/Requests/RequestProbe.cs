using System.Diagnostics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Requests;

/// <summary>
/// The figures of one request, or of one operation. Threads add their segments to it, several at the same time if the request starts
/// <c>Task.Run</c> work. It holds no <c>HttpContext</c> and is never pooled, because timers and statics may capture its execution context
/// forever.
/// </summary>
internal sealed class RequestProbe : IAsyncProbeFeature
{
    // A request that has run this long adds its figures to the totals while it lasts, so that a stream of hours shows in the report.
    private static Duration HandOverAfter => Duration.Second;

    // Work that still runs this long after the response is a background job under a borrowed context, and no longer this request's cost.
    private static Duration AfterResponseLimit => 10 * 60 * Duration.Second;

    // For an ended request that had handed over nothing, so that a segment that ends at the same moment doesn't either.
    private static readonly RareSums s_ended = new() { HandedOver = HandedOver.NoMore };

    private HeldSums _held;
    private int _arrivals;
    private int _segments;
    private Timestamp _endedAt;
    private RareSums? _rare;
    private RequestWaits? _waits;

    /// <summary>When the request came in.</summary>
    public Timestamp StartedAt { get; private set; }

    /// <summary>The totals of the request's endpoint; null until the endpoint is known.</summary>
    public EndpointTotals? Totals { get; private set; }

    /// <summary>The wait hook that the request carries from thread to thread; null if it was never armed.</summary>
    public CarriedHook? Armed { get; set; }

    /// <summary>What the hook found; null if the request was not armed and no other source reported a wait.</summary>
    public RequestWaits? Waits => Volatile.Read(ref _waits);

    /// <summary>The innermost open permission of the request's code, for readers on other threads.</summary>
    public WaitPermission? Permission { get; set; }

    /// <inheritdoc cref="OperationFlow.Outer"/>
    public RequestProbe? Outer => Operation?.Outer;

    /// <summary>Links an operation's activity to this probe; null for a request.</summary>
    public OperationFlow? Operation { get; private set; }

    /// <summary>Whether the endpoint was not yet warm when the request came in; false until the endpoint is known.</summary>
    public bool IsCold => Totals is { } totals && !totals.Counts.IsWarm(StartedAt);

    public bool IsFromCache { get; set; }

    /// <summary>
    /// Whether the request is already counted but the server still runs work for it, whose held time belongs to the request.
    /// </summary>
    public bool IsCompleting { get; set; }

    public bool HasEnded => Counter.Read(ref _endedAt) != default;

    /// <summary>Whether a thread that runs under this probe still runs for it. Long after the end, it no longer counts.</summary>
    public bool IsClaiming(Timestamp now) =>
        Counter.Read(ref _endedAt) is var endedAt && (endedAt == default || now - endedAt <= AfterResponseLimit);

    public int Segments => _segments;

    /// <summary>
    /// How many segments have begun. At the end more may have begun than ended: code after an await can continue before the previous thread
    /// has left, for example if that thread lost its core on the way out.
    /// </summary>
    public int Arrivals => Volatile.Read(ref _arrivals);

    /// <summary>
    /// How many segments are open. Counted without a lock: two threads that arrive or depart in the same nanosecond may count as one.
    /// </summary>
    public int OpenCount => Volatile.Read(ref _arrivals) - Volatile.Read(ref _segments);

    TimeSpan IAsyncProbeFeature.Held => SoFarOnAllThreads().Held.ToTimeSpan();

    TimeSpan? IAsyncProbeFeature.Cpu => ThreadClock.HasCpu ? SoFarOnAllThreads().Cpu.ToTimeSpan() : null;

    TimeSpan? IAsyncProbeFeature.Blocked => ThreadClock.HasCpu ? SoFarOnAllThreads().Blocked.ToTimeSpan() : null;

    /// <summary>Sets the endpoint. The first call wins, because error handlers set another one later.</summary>
    public void Attribute(EndpointTotals totals)
    {
        if (Totals is null)
        {
            Totals = totals;
            totals.Begin();
            Waits?.Attribute(totals);
        }
    }

    /// <summary>Turns this into the probe of an operation.</summary>
    /// <param name="activity">The operation's activity.</param>
    /// <param name="outer">The probe that the flow belonged to before.</param>
    public void Nest(Activity activity, RequestProbe? outer)
    {
        // Skip probes that have ended, or operations that start one another forever would keep all earlier ones alive.
        var living = Living(outer);
        Operation = new OperationFlow(this, activity, outer) { Outer = living };
        living?.Operation?.Outer = Living(living.Outer);
    }

    /// <summary>The probe that an operation's flow belongs to once the operation has ended.</summary>
    public RequestProbe? Resume() => Living(Outer);

    public void Begin(Timestamp now) => StartedAt = now;

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
        if (HasEnded)
        {
            AddAfterResponse(HeldSplit.AllCpu(held), now);
            return;
        }

        _held.AddCpu(held);
        CountSegment();
        HandOverIfDue(now);
    }

    public void AddSegment(HeldSplit split, Timestamp now)
    {
        if (HasEnded)
        {
            AddAfterResponse(split, now);
            return;
        }

        _held.Add(split);
        CountSegment();
        HandOverIfDue(now);
    }

    /// <summary>Counts the start of a segment. Not interlocked, for the same reason as <see cref="CountSegment"/>.</summary>
    public void CountArrival() => _arrivals++;

    /// <summary>
    /// All closed and open segments: a response may be written while the thread that computed it is still on its way out, or while work
    /// that the request started goes on. Checks other threads only if there are more open segments than the calling thread's.
    /// </summary>
    public HeldSplit SoFarOnAllThreads()
    {
        var isMine = ThreadSlots.Mine?.Probe == this;
        return OpenCount <= (isMine ? 1 : 0) ? SoFar() : OpenSegments.Sum(this);
    }

    /// <summary>The closed segments, plus the open one on the calling thread if it belongs to this request.</summary>
    public HeldSplit SoFar()
    {
        var closed = Closed();
        return ThreadSlots.Mine is { } slot && slot.Probe == this ? closed + slot.SoFar(Timestamp.Now()) : closed;
    }

    /// <summary>The closed segments. If one closed after the request's end, only its part before the end counts.</summary>
    public HeldSplit Closed() => Volatile.Read(ref _rare) is { } rare ? _held.Read() + rare.Late.Read() : _held.Read();

    /// <summary>Ends the measurement. Work that still runs under the probe is counted separately, as after the response.</summary>
    /// <returns>The request's figures, and the part of them that the endpoint's totals don't include yet.</returns>
    public (HeldSplit Whole, HeldSplit Remainder) End(Timestamp now)
    {
        Counter.Write(ref _endedAt, now);
        Armed?.End();

        var handedOver = EndHandOver(now);
        var whole = _held.Read();
        return (whole, handedOver is null ? whole : whole - handedOver.Split);
    }

    // Work that still runs under an ended request is counted as after its response; ended operations are skipped.
    private static RequestProbe? Living(RequestProbe? probe)
    {
        while (probe is { HasEnded: true, Totals.IsOperation: true })
        {
            probe = probe.Outer;
        }

        return probe;
    }

    // Not interlocked: two threads that end a segment of one request in the same nanosecond may count as one, and every await saves 5 ns.
    private void CountSegment() => _segments++;

    private void HandOverIfDue(Timestamp now)
    {
        var last = Volatile.Read(ref _rare)?.HandedOver;
        if (now - (last?.At ?? StartedAt) < HandOverAfter || last == HandedOver.NoMore || Totals is not { } totals)
        {
            return;
        }

        // Created first: if memory runs out, the totals are unchanged.
        var rare = _rare ?? Interlocked.CompareExchange(ref _rare, new RareSums(), null) ?? _rare;
        var next = new HandedOver(now, _held.Read());
        if (Interlocked.CompareExchange(ref rare.HandedOver, next, last) == last)
        {
            // Only one thread gets here, and the next one at least a second later.
            totals.Counts.AddRunning(next.Split - (last?.Split ?? default), next.Split);
        }
    }

    // From now on, no segment hands anything over. Returns the last hand-over; null if there was none.
    private HandedOver? EndHandOver(Timestamp now)
    {
        // A short request has handed over nothing. Half the time leaves room for a thread that loses its core after it has read the clock.
        if (Volatile.Read(ref _rare) is null && now - StartedAt < HandOverAfter / 2)
        {
            return null;
        }

        var rare = Interlocked.CompareExchange(ref _rare, s_ended, null) ?? s_ended;
        return Interlocked.Exchange(ref rare.HandedOver, HandedOver.NoMore);
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
            // Otherwise a loop that a request once started would pay for the hook forever.
            Armed?.Disarm();
            return;
        }

        // Split a segment that was open when the response ended, by time. If its thread lost its core after it had read the clock, all of
        // it was before the end.
        var before = Duration.Clamp(endedAt - (now - split.Held), Duration.Zero, split.Held);
        if (before > Duration.Zero && split.Held > Duration.Zero)
        {
            AddLate(split.Scaled(before.RatioTo(split.Held)));
        }

        if (Totals is { } totals)
        {
            totals.Counts.AddAfterResponse(split.Held - before);
            if (split.BlockedOutsideGc is var blocked && blocked > Duration.Zero)
            {
                NoteLateWait(totals, blocked - (blocked * before.RatioTo(split.Held)), now);
            }
        }
    }

    // Only time that the hook watched shows whether its call sites are known.
    private void NoteLateWait(EndpointTotals totals, Duration blocked, Timestamp now)
    {
        totals.NoteBlockedAfterResponse(blocked);
        if (totals.LateWaits is { } late && blocked >= late.Minimum && Waits is { } waits && Armed is { IsWatchedToTheEnd: true } armed
            && ThreadSlots.Mine?.Armed == armed)
        {
            late.Add(blocked, waits.TakeLate(), locks: Duration.Zero, now);
        }
    }

    // Belongs to the request but came in after the request was counted.
    private void AddLate(HeldSplit split)
    {
        LateSums().Add(split);
        Totals?.Counts.AddRunning(split, Closed());
    }

    // Sums of their own, because the end may be reading the others at this moment.
    private ref HeldSums LateSums()
    {
        while (true)
        {
            var seen = Volatile.Read(ref _rare);
            if (seen is not null && seen != s_ended)
            {
                return ref seen.Late;
            }

            Interlocked.CompareExchange(ref _rare, new RareSums { HandedOver = HandedOver.NoMore }, seen);
        }
    }

    /// <summary>What few requests have: a part handed over before the end, or time that came in after it.</summary>
    private sealed class RareSums
    {
        public HandedOver? HandedOver;
        public HeldSums Late;
    }

    /// <summary>What the totals already include of a request that still runs.</summary>
    private sealed class HandedOver(Timestamp at, HeldSplit split)
    {
        /// <summary>The request has ended, so nothing is handed over after it.</summary>
        public static HandedOver NoMore { get; } = new(default, default);

        public Timestamp At => at;

        public HeldSplit Split => split;
    }
}
