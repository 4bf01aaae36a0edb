using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>A thread as it was before a snapshot, to see afterwards whether the stack belongs to the same wait.</summary>
internal sealed class HeldThread
{
    private readonly ThreadSlot _slot;
    private readonly ThreadRun _run;
    private readonly long _at;
    private readonly BlockingScope? _scope;

    private HeldThread(ThreadSlot slot, RequestProbe probe, long startedAt, ThreadRun run, long at)
    {
        (_slot, Probe, StartedAt, _run, _at) = (slot, probe, startedAt, run, at);
        _scope = probe.Scope;
    }

    public RequestProbe Probe { get; }

    public long StartedAt { get; }

    public int OsThreadId => _slot.OsThreadId;

    public bool IsStillHeld => _slot.Probe == Probe && _slot.StartedAt == StartedAt && _slot.IsThreadAlive;

    /// <summary>
    /// The threads that requests hold, that did nothing for at least so long, in nanoseconds, and do nothing now: one that runs has its
    /// wait behind it, and its stack would name what it does before the next.
    /// </summary>
    public static Dictionary<int, HeldThread> Blocked(long atLeast)
    {
        Dictionary<int, HeldThread> found = [];
        var now = Nanoseconds.Now();
        for (var slot = ThreadSlots.First; slot is not null; slot = slot.Next)
        {
            var startedAt = slot.StartedAt;
            if (slot is { Probe: { } probe, OsThreadId: not 0, IsThreadAlive: true } && now - startedAt >= atLeast
                && slot.RunNow() is { } run && now - startedAt - (run.CpuAndWaiting - slot.RunAtStart) >= atLeast
                && !slot.WantsToRun() && slot.StartedAt == startedAt)
            {
                found[slot.OsThreadId] = new HeldThread(slot, probe, startedAt, run, now);
            }
        }

        return found;
    }

    /// <summary>
    /// The segment's held and blocked time, if the thread has done nothing but wait since the snapshot began, in the same segment and under
    /// the same leave; null otherwise.
    /// </summary>
    public (long Held, long Blocked)? StillBlocked()
    {
        var now = Nanoseconds.Now();
        if (_slot.RunNow() is not { } run || (run.CpuAndWaiting - _run.CpuAndWaiting) * 2 > now - _at || _scope != Probe.Scope)
        {
            return null;
        }

        var held = now - StartedAt;
        var blocked = held - (run.CpuAndWaiting - _slot.RunAtStart);
        return IsStillHeld ? (held, blocked) : null;
    }
}
