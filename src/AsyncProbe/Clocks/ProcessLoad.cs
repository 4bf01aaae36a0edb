using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>The load of the process in the last second.</summary>
/// <param name="Length">The exact length of the interval.</param>
/// <param name="Cpu">CPU time of the whole process.</param>
/// <param name="GcPause">Time in which the garbage collector paused the process.</param>
internal readonly record struct ProcessLoad(Duration Length, Duration Cpu, Duration GcPause)
{
    /// <summary>The share of all available cores, 0 to 100.</summary>
    public double CpuPercent => Length <= Duration.Zero ? 0 : Math.Min(100, 100 * Cpu.RatioTo(Length) / Cores.InForce);

    public double GcPercent => Length <= Duration.Zero ? 0 : Math.Min(100, 100 * GcPause.RatioTo(Length));
}
