using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>What the watcher saw of a thread's open segment when it last looked. A class, so that others read it whole.</summary>
/// <param name="SegmentStartedAt">Which segment it was.</param>
/// <param name="At">When.</param>
/// <param name="CpuAndCpuWait">How much the thread had run or wanted to run.</param>
/// <param name="IdleSince">The look, or the segment's beginning, since which it has not run at all: it is in one wait since then.</param>
/// <param name="IsHooked">Whether the wait hook was on the thread.</param>
internal sealed record ThreadLook(Timestamp SegmentStartedAt, Timestamp At, Duration CpuAndCpuWait, Timestamp IdleSince, bool IsHooked);

/// <summary>How much a thread ran or wanted to run until now.</summary>
internal readonly record struct ThreadRun(Duration Cpu, Duration CpuAndCpuWait);
