using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Checks the clocks of held threads repeatedly while their stacks are sampled. A thread whose clock is the same before and after a sample
/// was idle when the sample was taken. A thread that works, or is ready but has no core, never counts. Use an instance from one thread
/// only.
/// </summary>
/// <param name="isWanted">Whether a request matters.</param>
internal sealed class IdleThreads(Func<RequestProbe, bool> isWanted)
{
    private const int MostSpans = 10_000;

    // Checking a thread costs about a microsecond.
    private const int ThreadsPerMillisecond = 64;
    private const int LongestPause = 10;

    private readonly Dictionary<ThreadSlot, Idle> _open = [];
    private readonly Dictionary<int, List<IdleSpan>> _spans = [];
    private int _count;
    private Timestamp _lookedAt;
    private Duration _gcPause;

    /// <summary>The ids of all threads that requests may hold.</summary>
    public static HashSet<int> PoolThreads() =>
        [.. from slot in ThreadSlots.All
            where slot is { IsPoolThread: true, OsThreadId: not 0, IsThreadAlive: true }
            select slot.OsThreadId];

    /// <summary>Whether any request that matters holds a thread now.</summary>
    public bool AnyHeld() =>
        ThreadSlots.All.Any(slot => slot is { IsPoolThread: true, Probe: { HasEnded: false } probe } && isWanted(probe));

    // Shorter idle times can't be distinguished from the moments for which the runtime stops a thread.
    private static Duration Shortest => Duration.Millisecond;

    public void Watch(Duration duration)
    {
        var until = Timestamp.Now() + duration;
        while (Timestamp.Now() < until)
        {
            Look();
            Thread.Sleep(Math.Clamp(_open.Count / ThreadsPerMillisecond, 1, LongestPause));
        }

        Look();
        foreach (var (slot, idle) in _open)
        {
            // A thread that wants a core has finished its wait, but its clock doesn't show yet when.
            if (!slot.WantsToRun())
            {
                Close(slot, idle, Timestamp.Now());
            }
        }

        _open.Clear();
    }

    /// <summary>The idle period of a thread that includes a given time; null when the thread may have worked then.</summary>
    public IdleSpan? Find(int osThreadId, Timestamp at) =>
        _spans.GetValueOrDefault(osThreadId)?.Find(span => span.From <= at && at <= span.To);

    /// <summary>
    /// How long a wait probably was. It began and ended somewhere between two checks, so half of those gaps counts. If the checking thread
    /// itself had to wait for a core, a gap may be far longer than the wait, so a wait counts at most twice as long as it was seen.
    /// </summary>
    /// <param name="seen">How long the thread was certainly idle.</param>
    /// <param name="gaps">The time between checks before and after that.</param>
    public static Duration LengthOf(Duration seen, Duration gaps) => seen + Duration.Min(gaps / 2L, seen);

    private void Look()
    {
        // A collection stops working threads, which then look idle.
        var gcPause = ProcessClock.GcPause();
        var isBroken = gcPause != _gcPause;
        for (var slot = ThreadSlots.First; slot is not null; slot = slot.Next)
        {
            var before = Timestamp.Now();
            if (_open.TryGetValue(slot, out var idle))
            {
                if (!isBroken && idle.Witness.DidNothing())
                {
                    idle.To = before;
                    continue;
                }

                Close(slot, idle, before);
                _open.Remove(slot);
            }

            if (slot is { IsPoolThread: true, Probe: { HasEnded: false } probe } && isWanted(probe) && IdleWitness.Of(slot) is { } witness
                && witness.Probe == probe)
            {
                var at = Timestamp.Now();
                _open[slot] = new Idle(witness, witness.StartedAt > _lookedAt ? witness.StartedAt : _lookedAt) { From = at, To = at };
            }
        }

        (_lookedAt, _gcPause) = (Timestamp.Now(), gcPause);
    }

    private void Close(ThreadSlot slot, Idle idle, Timestamp now)
    {
        if (idle.To <= idle.From || _count >= MostSpans || slot.RunNow() is not { } run)
        {
            return;
        }

        // The kernel counts the wait for a core when it ends. A thread that was ready all the time shows it now, and was not blocked.
        var waited = (run.CpuAndCpuWait - run.Cpu) - (idle.Witness.Run.CpuAndCpuWait - idle.Witness.Run.Cpu);
        if (waited > (idle.To - idle.From) / 2L)
        {
            return;
        }

        var length = LengthOf(idle.To - idle.From, idle.From - idle.Before + (now - idle.To)) - waited;
        if (length < Shortest)
        {
            return;
        }

        if (!_spans.TryGetValue(slot.OsThreadId, out var spans))
        {
            _spans[slot.OsThreadId] = spans = [];
        }

        spans.Add(new IdleSpan(idle.Witness.Probe, idle.Witness.Permission, idle.From, idle.To - waited, length));
        _count++;
    }

    /// <param name="Witness">The first look.</param>
    /// <param name="Before">The time of the check before the first one, or the start of the segment if that is later.</param>
    private sealed record Idle(IdleWitness Witness, Timestamp Before)
    {
        /// <summary>The first check at which the clock had this reading.</summary>
        public Timestamp From { get; init; }

        /// <summary>The last such check.</summary>
        public Timestamp To { get; set; }
    }
}
