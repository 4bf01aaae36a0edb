using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>The process's clocks, and what they moved in the last second. For one thread.</summary>
internal sealed class ProcessClock
{
    private readonly (long At, long Cpu, long GcPause)[] _ring;
    private long _written;

    /// <param name="ticksPerSecond">How often <see cref="Tick"/> is called.</param>
    public ProcessClock(int ticksPerSecond)
    {
        _ring = new (long, long, long)[ticksPerSecond];
        Array.Fill(_ring, Read());
    }

    public static long CpuNs() => Nanoseconds.From(Environment.CpuUsage.TotalTime);

    public static long GcPauseNs() => Nanoseconds.From(GC.GetTotalPauseDuration());

    public ProcessLoad Tick()
    {
        var now = Read();
        ref var oldest = ref _ring[_written++ % _ring.Length];
        var load = new ProcessLoad((now.At - oldest.At) / (double)Nanoseconds.PerSecond, now.Cpu - oldest.Cpu, now.GcPause - oldest.GcPause);
        oldest = now;
        return load;
    }

    private static (long At, long Cpu, long GcPause) Read() => (Nanoseconds.Now(), CpuNs(), GcPauseNs());
}
