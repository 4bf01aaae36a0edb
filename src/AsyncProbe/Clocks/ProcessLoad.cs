namespace AsyncProbe.Clocks;

/// <summary>What the process did in the last second.</summary>
/// <param name="Seconds">The exact length of the interval.</param>
/// <param name="CpuNs">CPU time of the whole process, in nanoseconds.</param>
/// <param name="GcPauseNs">Time in which the garbage collector paused the process, in nanoseconds.</param>
internal readonly record struct ProcessLoad(double Seconds, long CpuNs, long GcPauseNs)
{
    /// <summary>Share of all cores in force, 0 to 100.</summary>
    public double CpuPercent => Seconds <= 0 ? 0 : Math.Min(100, 100 * (CpuNs / 1e9) / (Seconds * Cores.InForce));

    public double GcPercent => Seconds <= 0 ? 0 : Math.Min(100, 100 * (GcPauseNs / 1e9) / Seconds);
}
