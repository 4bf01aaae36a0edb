using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>What a segment has held so far, how much of that the thread did nothing, and how much of that in its present wait.</summary>
internal readonly record struct HeldTimes(Duration Held, Duration Blocked, Duration Wait);

/// <summary>A thread as it was when a snapshot began, to see when it ends whether the stack belongs to the same wait.</summary>
internal sealed class HeldThread
{
    private readonly ThreadSlot _slot;
    private readonly WaitPermission? _permission;

    // Since when it has been in this wait, as far as it is known: a segment may wait at several places.
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

    /// <summary>Whether the request was over, and this is work that it left behind.</summary>
    public bool HadEnded { get; }

    public int OsThreadId => _slot.OsThreadId;

    /// <summary>
    /// Why the wait is allowed; null when it is not. As it was when the snapshot began: the stack is read later, and by then the wait and
    /// its scope may be over.
    /// </summary>
    /// <param name="outside">The reason that holds where no permission is open.</param>
    public string? AllowedBecause(string? outside) => WaitPermission.Reason(_permission, outside);

    public bool IsStillHeld => _slot.Probe == Probe && _slot.StartedAt == StartedAt && _slot.IsThreadAlive;

    /// <summary>
    /// The threads that requests hold, that did nothing for at least so long and do nothing now: one that runs has its
    /// wait behind it, and its stack would name what it does before the next.
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
    /// What the segment has held and blocked, and how much of that was this wait, if the thread has done nothing but wait since the
    /// snapshot began, in the same segment and under the same leave, and still waits; null otherwise.
    /// </summary>
    public HeldTimes? StillBlocked()
    {
        var now = Timestamp.Now();

        // What waits does not run at all. A little is too much: the runtime stops a thread that works for each sample and for collections,
        // and it looks as if it waited then.
        if (_slot.RunNow() is not { } run || run != _run || _permission != Probe.Permission)
        {
            return null;
        }

        // It goes on when there is a core for it, and only then does the kernel count the time in the run queue.
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
