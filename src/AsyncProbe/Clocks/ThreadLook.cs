using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// What the watcher saw of a thread's open segment when it last looked. A class, so that other threads read it atomically.
/// </summary>
/// <param name="SegmentStartedAt">Identifies the segment, by its start.</param>
/// <param name="At">When the watcher looked.</param>
/// <param name="CpuAndCpuWait">How much the thread had run or wanted to run.</param>
/// <param name="IdleSince">
/// The look, or the segment's start, since which the thread hasn't run. It has been in a single wait since then.
/// </param>
/// <param name="IsHooked">Whether the wait hook was on the thread.</param>
internal sealed record ThreadLook(Timestamp SegmentStartedAt, Timestamp At, Duration CpuAndCpuWait, Timestamp IdleSince, bool IsHooked);

/// <summary>How much a thread has run or wanted to run so far.</summary>
internal readonly record struct ThreadRun(Duration Cpu, Duration CpuAndCpuWait);
