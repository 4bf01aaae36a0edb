using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// One look at a thread that a request holds. A later look proves that the thread did nothing in between: its clock hasn't moved, and it is
/// in the same segment under the same permission. Even a little running time rules out a wait, because the runtime stops working threads
/// for each sample and for collections, and they look idle then.
/// </summary>
internal sealed class IdleWitness
{
    private IdleWitness(ThreadSlot slot, RequestProbe probe, Timestamp startedAt, ThreadRun run)
    {
        (Slot, Probe, StartedAt, Run) = (slot, probe, startedAt, run);
        Permission = probe.Permission;
    }

    public ThreadSlot Slot { get; }

    public RequestProbe Probe { get; }

    /// <summary>When the segment began.</summary>
    public Timestamp StartedAt { get; }

    /// <summary>The permission that was open.</summary>
    public WaitPermission? Permission { get; }

    /// <summary>The thread's clock at this look.</summary>
    public ThreadRun Run { get; }

    public bool IsStillHeld => Slot.Probe == Probe && Slot.StartedAt == StartedAt && Slot.IsThreadAlive;

    /// <summary>Looks at a thread; null when no request holds it, or when its clock can't be read.</summary>
    public static IdleWitness? Of(ThreadSlot slot)
    {
        var startedAt = slot.StartedAt;
        if (slot is not { Probe: { } probe, OsThreadId: not 0, IsThreadAlive: true } || slot.RunNow() is not { } run)
        {
            return null;
        }

        var witness = new IdleWitness(slot, probe, startedAt, run);
        return witness.IsStillHeld ? witness : null;
    }

    /// <summary>Whether the thread has done nothing since this look.</summary>
    public bool DidNothing() => Permission == Probe.Permission && Slot.RunNow() is { } run && run == Run && IsStillHeld;
}
