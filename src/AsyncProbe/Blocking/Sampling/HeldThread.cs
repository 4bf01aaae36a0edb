using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// How long a segment has held its thread, how much of that time the thread was idle, and how much of that it spent in its current wait.
/// </summary>
internal readonly record struct HeldTimes(Duration Held, Duration Blocked, Duration Wait);

/// <summary>A thread's state when a snapshot began. When the snapshot ends, it shows whether the stack belongs to the same wait.</summary>
internal sealed class HeldThread
{
    private readonly ThreadSlot _slot;
    private readonly WaitPermission? _permission;

    // When this wait began, as far as known: a segment may wait at several places.
    private readonly Timestamp _since;
    private readonly ThreadRun _run;

    private HeldThread(ThreadSlot slot, RequestProbe probe, Timestamp startedAt, ThreadRun run, Timestamp at)
    {
        (_slot, Probe, StartedAt, _run) = (slot, probe, startedAt, run);
        _permission = probe.Permission;
        HadEnded = probe.HasEnded;
        _since = slot.LastLook is { } look && look.SegmentStartedAt == startedAt
            ? look.CpuAndCpuWait == run.CpuAndCpuWait ? look.IdleSince : at
            : startedAt;
    }

    public RequestProbe Probe { get; }

    public Timestamp StartedAt { get; }

    /// <summary>Whether the request had ended, so that this is work it left behind.</summary>
    public bool HadEnded { get; }

    public int OsThreadId => _slot.OsThreadId;

    /// <summary>
    /// Why the wait is allowed; null when it is not. Captured when the snapshot began: the stack is read later, and by then the wait and
    /// its scope may be over.
    /// </summary>
    /// <param name="outside">The reason that applies when no permission is open.</param>
    public string? AllowedBecause(string? outside) => WaitPermission.Reason(_permission, outside);

    public bool IsStillHeld => _slot.Probe == Probe && _slot.StartedAt == StartedAt && _slot.IsThreadAlive;

    /// <summary>
    /// The threads that requests hold, that were idle for at least a given time in their segment and are idle now. A thread that runs has
    /// finished its wait, and its stack would show its current work instead.
    /// </summary>
    public static Dictionary<int, HeldThread> Blocked(Duration atLeast)
    {
        Dictionary<int, HeldThread> found = [];
        var now = Timestamp.Now();
        for (var slot = ThreadSlots.First; slot is not null; slot = slot.Next)
        {
            var startedAt = slot.StartedAt;
            if (slot is { Probe: { } probe, OsThreadId: not 0, IsThreadAlive: true } && now - startedAt >= atLeast
                && slot.RunNow() is { } run && now - startedAt - (run.CpuAndCpuWait - slot.RunAtStart) >= atLeast
                && !slot.WantsToRun() && slot.StartedAt == startedAt)
            {
                found[slot.OsThreadId] = new HeldThread(slot, probe, startedAt, run, now);
            }
        }

        return found;
    }

    /// <summary>
    /// The segment's held and blocked time, and the length of this wait. Null unless the thread still waits, and has done nothing else
    /// since the snapshot began, in the same segment and under the same permission.
    /// </summary>
    public HeldTimes? StillBlocked()
    {
        var now = Timestamp.Now();

        // A waiting thread doesn't run at all. Even a little running time rules out a wait: the runtime stops working threads for each
        // sample and for collections, and they look idle then.
        if (_slot.RunNow() is not { } run || run != _run || _permission != Probe.Permission)
        {
            return null;
        }

        // A thread that wants to run isn't waiting any more. It continues when a core is free, and only then does the kernel count its time
        // in the run queue.
        if (_slot.WantsToRun())
        {
            return null;
        }

        var blocked = now - StartedAt - (run.CpuAndCpuWait - _slot.RunAtStart);
        if (!IsStillHeld)
        {
            return null;
        }

        return new HeldTimes(now - StartedAt, blocked, Duration.Min(blocked, now - _since));
    }
}
