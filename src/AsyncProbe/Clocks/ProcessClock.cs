using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>Reads the process's clocks, and how far they moved in the last second. Use from one thread only.</summary>
internal sealed class ProcessClock
{
    private readonly (Timestamp At, Duration Cpu, Duration GcPause)[] _ring;
    private long _written;

    /// <param name="ticksPerSecond">How often <see cref="Tick"/> is called.</param>
    public ProcessClock(int ticksPerSecond)
    {
        _ring = new (Timestamp, Duration, Duration)[ticksPerSecond];
        Array.Fill(_ring, Read());
    }

    public static Duration Cpu() => Duration.From(ProcessCpu.Total());

    public static Duration GcPause() => Duration.From(GC.GetTotalPauseDuration());

    public ProcessLoad Tick()
    {
        var now = Read();
        ref var oldest = ref _ring[_written++ % _ring.Length];
        var load = new ProcessLoad(now.At - oldest.At, now.Cpu - oldest.Cpu, now.GcPause - oldest.GcPause);
        oldest = now;
        return load;
    }

    private static (Timestamp At, Duration Cpu, Duration GcPause) Read() => (Timestamp.Now(), Cpu(), GcPause());
}
