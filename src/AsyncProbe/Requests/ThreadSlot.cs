using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// What one thread is doing for a request right now. Only its own thread writes it; the watcher reads it from outside, so readers must
/// accept slightly stale values.
/// </summary>
internal sealed class ThreadSlot
{
    // A reading this fresh serves as the next segment's baseline. The error is at most its age.
    private static Duration FreshReading => Duration.FromMicroseconds(100);

    // For a shorter segment, reading the clocks isn't worth the cost: count it as work.
    private static Duration ShortSegment => Duration.FromMicroseconds(50);

    // Reading the clocks takes 1 to 2 µs if nothing interrupts it.
    private static Duration Undisturbed => Duration.FromMicroseconds(20);

    private const int Attempts = 3;

    private readonly Thread _thread = Thread.CurrentThread;
    private readonly ThreadIdentity _identity;

    // The thread reads its clocks into the first field. The second is the start of the open segment, which other threads read.
    private ThreadReading _latest = ThreadClock.NewReading();
    private ThreadReading _baseline;
    private volatile RequestProbe? _probe;
    private volatile OpenWait? _wait;
    private Timestamp _startedAt;
    private ThreadLook? _lastLook;
    private int _isReleased;
    private Timestamp _waitEndedAt;

    // Only for the thread itself: the last mark, what the segment had cost by then, and when that segment had begun.
    private ThreadReading _mark;
    private HeldSplit _untilMark;
    private Timestamp _markedSegment;

    /// <param name="identity">The identity of the calling thread.</param>
    /// <param name="isPoolThread">Whether the thread runs the pool's work.</param>
    public ThreadSlot(ThreadIdentity identity, bool isPoolThread)
    {
        _identity = identity;
        IsPoolThread = isPoolThread;
    }

    /// <summary>Dedicated threads also inherit the request's context, but their time isn't pool time.</summary>
    public bool IsPoolThread { get; }

    public bool IsThreadAlive => _thread.IsAlive;

    public int OsThreadId => _identity.OsThreadId;

    /// <summary>The request whose code the thread runs; null between segments.</summary>
    public RequestProbe? Probe => _probe;

    /// <summary>When the open segment began; meaningful while <see cref="Probe"/> is set.</summary>
    public Timestamp StartedAt => Counter.Read(ref _startedAt);

    /// <summary>Only for the thread itself: when a request last left it. Slightly later than that if the clocks had to be read.</summary>
    public Timestamp DepartedAt { get; private set; }

    public ThreadSlot? Next { get; set; }

    /// <summary>The thread's CPU time when the open segment began, off by at most the age of the baseline.</summary>
    public Duration CpuAtStart => Counter.Read(ref _baseline.Cpu);

    /// <summary>CPU time plus time in the run queue when the open segment began.</summary>
    public Duration RunAtStart => Counter.Read(ref _baseline.Cpu) + Counter.Read(ref _baseline.CpuWait);

    /// <summary>The hook of the request whose hook is on the thread; null if none is.</summary>
    public CarriedHook? Armed { get; set; }

    /// <summary>Whether the thread itself has a permit to carry the hook, for work that continues after its request has ended.</summary>
    public bool HasOwnPermit { get; set; }

    /// <summary>The managed wait that the thread is in; null if it is in none, or the hook isn't watching.</summary>
    public OpenWait? Wait => _wait;

    /// <summary>When the last managed wait ended.</summary>
    public Timestamp WaitEndedAt => Counter.Read(ref _waitEndedAt);

    /// <summary>The watcher's last look, also used to find out how long a wait has lasted; null before the first.</summary>
    public ThreadLook? LastLook
    {
        get => Volatile.Read(ref _lastLook);
        set => Volatile.Write(ref _lastLook, value);
    }

    /// <summary>How much the thread has run until now, read from another thread; null if the platform doesn't report it.</summary>
    public ThreadRun? RunNow() => ThreadClock.RunOf(in _identity);

    /// <summary>Whether the thread has a core or wants one, read from another thread.</summary>
    public bool WantsToRun() => ThreadClock.WantsToRun(in _identity);

    public void BeginWait(OpenWait wait) => _wait = wait;

    public void EndWait(Timestamp now)
    {
        // Written first, or a reader would see a thread that seems never to have been in a managed wait.
        Counter.Write(ref _waitEndedAt, now);
        _wait = null;
    }

    public void Arrive(RequestProbe probe, Timestamp now)
    {
        if (now - _latest.At > FreshReading)
        {
            // The segment starts with the reading; the time before it belongs to neither segment.
            now = ReadClocks(now);
        }

        if (_baseline.At != _latest.At)
        {
            _baseline = _latest;
        }

        Counter.Write(ref _startedAt, now);
        _probe = probe;
        probe.CountArrival();
    }

    /// <summary>Ends the request's segment. The next one begins at <see cref="DepartedAt"/>.</summary>
    public void Depart(RequestProbe probe, Timestamp now)
    {
        DepartedAt = now;
        if (_probe != probe)
        {
            return;
        }

        _probe = null;
        var held = now - _startedAt;
        if (held < ShortSegment)
        {
            probe.AddShortSegment(held, now);
            return;
        }

        // The end of a long segment is the baseline of the next one.
        DepartedAt = ReadClocks(now);
        probe.AddSegment(Split(), DepartedAt);
    }

    /// <summary>The split of the open segment so far, read by its own thread without closing it.</summary>
    public HeldSplit SoFar(Timestamp now)
    {
        var held = now - _startedAt;
        if (held < ShortSegment)
        {
            return HeldSplit.AllCpu(held);
        }

        ReadClocks(now);
        return Split();
    }

    /// <summary>
    /// Reads the clocks where a wait begins or ends, and splits the segment there: its split is the sum over its parts. So the waits of a
    /// segment never add up to more blocked time than the segment has. Only for the thread itself, within an open segment.
    /// </summary>
    /// <returns>The split of the open segment so far.</returns>
    public HeldSplit Mark(Timestamp now)
    {
        ReadClocks(now);
        _untilMark = Split();
        _mark = _latest;
        _markedSegment = _startedAt;
        return _untilMark;
    }

    /// <summary>
    /// The split of a request's open segment so far, read from another thread; null if the thread has no open segment of that request.
    /// </summary>
    public HeldSplit? SoFarFromOutside(RequestProbe probe)
    {
        var startedAt = StartedAt;
        if (_probe != probe)
        {
            return null;
        }

        var (baseline, run, now) = (_baseline, RunNow(), Timestamp.Now());
        var held = (now - startedAt).OrZero();
        var split = HeldSplit.AllCpu(held);
        if (held >= ShortSegment && run is { } ran)
        {
            var gcPause = ProcessClock.GcPause();
            var stopped = (ProcessStops.Until(now, gcPause) - baseline.Stopped).OrZero();
            split = HeldSplit.Create(
                (held - stopped).OrZero(),
                ran.Cpu - baseline.Cpu,
                ran.CpuAndCpuWait - ran.Cpu - baseline.CpuWait,
                gcPause - baseline.GcPause,
                ThreadClock.HasBlockedSince(in _identity, baseline.VoluntarySwitches));
        }

        // If the segment ended or the next one began during the read, the figures belong to neither.
        return _probe == probe && StartedAt == startedAt ? split : null;
    }

    /// <summary>
    /// Releases the slot's operating system handle after its thread has ended. Only once: the number of a closed descriptor may belong to a
    /// file or connection of the application a moment later.
    /// </summary>
    public void Release()
    {
        if (Interlocked.Exchange(ref _isReleased, 1) == 0)
        {
            _identity.Release();
        }
    }

    private HeldSplit Split() => _markedSegment == _startedAt
        ? _untilMark + Split(_latest.At - _mark.At, in _mark, in _latest)
        : Split(_latest.At - _startedAt, in _baseline, in _latest);

    private static HeldSplit Split(Duration held, in ThreadReading begin, in ThreadReading end) =>
        HeldSplit.Create(
            (held - (end.Stopped - begin.Stopped).OrZero()).OrZero(),
            end.Cpu - begin.Cpu,
            end.CpuWait - begin.CpuWait,
            end.GcPause - begin.GcPause,
            end.VoluntarySwitches != begin.VoluntarySwitches);

    private Timestamp ReadClocks(Timestamp now)
    {
        if (ThreadClock.TryContinue(ref _latest, now))
        {
            return now;
        }

        // On a crowded core the thread may lose it between two clock reads, which would then be from different moments.
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var before = Timestamp.Now();
            ThreadClock.Read(in _identity, ref _latest, before);
            _latest.At = Timestamp.Now();
            if (_latest.At - before < Undisturbed)
            {
                break;
            }
        }

        _latest.Stopped = ProcessStops.Until(_latest.At, _latest.GcPause);
        return _latest.At;
    }
}
