namespace AsyncProbe.Requests;

/// <summary>What the watcher saw of a thread's open segment when it last looked, in nanoseconds.</summary>
internal readonly record struct ThreadLook(long SegmentStartedAt, long At, long CpuAndWaiting, bool IsHooked);

/// <summary>How much a thread ran or wanted to run until now, in nanoseconds.</summary>
internal readonly record struct ThreadRun(long Cpu, long CpuAndWaiting);
