using AsyncProbe.Requests;

namespace AsyncProbe.Pool;

/// <summary>A thread that is held by a request right now.</summary>
/// <param name="Probe">The request.</param>
/// <param name="OsThreadId">The operating system's id of the thread.</param>
/// <param name="Held">For how long, in nanoseconds.</param>
/// <param name="Cpu">The CPU time it used meanwhile; null where the platform cannot tell.</param>
/// <param name="IsBlocked">Whether the thread ran nothing, and wanted to run nothing, since the last look.</param>
internal sealed record LiveSegment(RequestProbe Probe, int OsThreadId, long Held, long? Cpu, bool IsBlocked);
