using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Pool.Sampling;

/// <summary>A thread that is held by a request right now.</summary>
/// <param name="Probe">The request.</param>
/// <param name="OsThreadId">The operating system's id of the thread.</param>
/// <param name="Held">For how long.</param>
/// <param name="Cpu">The CPU time it used meanwhile; null where the platform cannot tell.</param>
/// <param name="IsBlocked">Whether the thread ran nothing, and wanted to run nothing, since the last look.</param>
internal sealed record LiveSegment(RequestProbe Probe, int OsThreadId, Duration Held, Duration? Cpu, bool IsBlocked)
{
    /// <summary>
    /// The managed wait that the thread is in, as the wait hook has it; null when it is in none, or the hook is not there.
    /// </summary>
    public OpenWait? Wait { get; init; }

    /// <summary>Whether the hook has watched since the last look, and nothing of the time was a managed wait.</summary>
    public bool IsUnmanaged { get; init; }

    /// <summary>Where the segment is open; null for one that nobody looks at again.</summary>
    public ThreadSlot? Slot { get; init; }

    /// <summary>When it began.</summary>
    public Timestamp StartedAt { get; init; }

    /// <summary>Whether it still goes on.</summary>
    public bool IsOpen => Slot is null || (Slot.Probe == Probe && Slot.StartedAt == StartedAt && Slot.IsThreadAlive);

    /// <summary>The same segment as it is now; null when it has ended.</summary>
    public LiveSegment? Now()
    {
        if (Slot is null)
        {
            return this;
        }

        var (ran, now) = (Slot.RunNow(), Timestamp.Now());
        var cpu = ran is { } run ? (run.Cpu - Slot.CpuAtStart).OrZero() : (Duration?)null;
        var wait = Slot.Wait;
        return IsOpen ? this with { Held = now - StartedAt, Cpu = cpu, Wait = wait, IsUnmanaged = IsUnmanaged && wait is null } : null;
    }
}
