namespace AsyncProbe.Clocks;

/// <summary>The CPU time of the process.</summary>
internal static class ProcessCpu
{
    public static TimeSpan Total() => Environment.CpuUsage.TotalTime;
}
