using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Pool.Sampling;

/// <summary>A thread that a request holds right now.</summary>
/// <param name="Probe">The request.</param>
/// <param name="OsThreadId">The operating system's id of the thread.</param>
/// <param name="Held">How long it has been held.</param>
/// <param name="Cpu">The CPU time it has used; null if the platform doesn't report it.</param>
/// <param name="IsBlocked">Whether the thread neither ran nor wanted to run for most of the time since the last look.</param>
internal sealed record LiveSegment(RequestProbe Probe, int OsThreadId, Duration Held, Duration? Cpu, bool IsBlocked)
{
    /// <summary>
    /// The managed wait that the thread is in, as reported by the wait hook; null if it is in none, or the hook isn't on the thread.
    /// </summary>
    public OpenWait? Wait { get; init; }

    /// <summary>Whether the hook has watched since the last look and saw no managed wait in that time.</summary>
    public bool IsUnmanaged { get; init; }

    /// <summary>The slot of the segment's thread; null for a segment that won't be looked at again.</summary>
    public ThreadSlot? Slot { get; init; }

    /// <summary>When the segment began.</summary>
    public Timestamp StartedAt { get; init; }

    /// <summary>Whether the segment is still open.</summary>
    public bool IsOpen => Slot is null || (Slot.Probe == Probe && Slot.StartedAt == StartedAt && Slot.IsThreadAlive);

    /// <summary>The same segment as it is now; null if it has ended.</summary>
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
