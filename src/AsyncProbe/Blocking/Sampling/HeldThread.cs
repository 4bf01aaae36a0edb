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
    private readonly IdleWitness _witness;

    // When this wait began, as far as known: a segment may wait at several places.
    private readonly Timestamp _since;

    private HeldThread(IdleWitness witness, Timestamp at)
    {
        _witness = witness;
        HadEnded = Probe.HasEnded;
        _since = witness.Slot.LastLook is { } look && look.SegmentStartedAt == StartedAt
            ? look.CpuAndCpuWait == witness.Run.CpuAndCpuWait ? look.IdleSince : at
            : StartedAt;
    }

    public RequestProbe Probe => _witness.Probe;

    public Timestamp StartedAt => _witness.StartedAt;

    /// <summary>Whether the request had ended, so that this is work it left behind.</summary>
    public bool HadEnded { get; }

    public int OsThreadId => _witness.Slot.OsThreadId;

    /// <summary>
    /// Why the wait is allowed; null when it is not. Captured when the snapshot began: the stack is read later, and by then the wait and
    /// its scope may be over.
    /// </summary>
    /// <param name="outside">The reason that applies when no permission is open.</param>
    public string? AllowedBecause(string? outside) => WaitPermission.Reason(_witness.Permission, outside);

    public bool IsStillHeld => _witness.IsStillHeld;

    /// <summary>
    /// The threads that requests hold, that were idle for at least a given time in their segment and are idle now. A thread that runs has
    /// finished its wait, and its stack would show its current work instead.
    /// </summary>
    public static Dictionary<int, HeldThread> Blocked(Duration atLeast)
    {
        Dictionary<int, HeldThread> found = [];
        var now = Timestamp.Now();
        foreach (var slot in ThreadSlots.All)
        {
            if (slot.Probe is not null && now - slot.StartedAt >= atLeast && IdleWitness.Of(slot) is { } witness
                && BlockedTime(witness, now) >= atLeast && !slot.WantsToRun() && witness.IsStillHeld)
            {
                found[slot.OsThreadId] = new HeldThread(witness, now);
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
        // A thread that wants to run isn't waiting any more. It continues when a core is free, and only then does the kernel count its time
        // in the run queue.
        var now = Timestamp.Now();
        if (!_witness.DidNothing() || _witness.Slot.WantsToRun())
        {
            return null;
        }

        var blocked = BlockedTime(_witness, now);
        return _witness.IsStillHeld ? new HeldTimes(now - StartedAt, blocked, Duration.Min(blocked, now - _since)) : null;
    }

    private static Duration BlockedTime(IdleWitness witness, Timestamp now) =>
        now - witness.StartedAt - (witness.Run.CpuAndCpuWait - witness.Slot.RunAtStart);
}
