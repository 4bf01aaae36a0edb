namespace AsyncProbe.Clocks;

internal static class ProcessCpu
{
    public static TimeSpan Total() => Environment.CpuUsage.TotalTime;
}
