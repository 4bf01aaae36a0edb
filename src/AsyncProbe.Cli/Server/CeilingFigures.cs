namespace AsyncProbe.Cli.Server;

/// <summary>Requests a second that threads and cores allow, now and without the avoidable blocking. A bound has no low end.</summary>
internal sealed record CeilingFigures(double? Threads, double? NowLow, double? NowHigh, double? IfAsyncLow, double? IfAsyncHigh)
{
    /// <summary>With this little CPU left, what is not counted (the kernel's network work, the client) decides: only a bound is honest.</summary>
    private const double BoundBelowMs = 0.2;

    private const double BoundBelowIfAsyncMs = 2;

    /// <summary>How many times more requests a second async would allow, from the ends that are safe to promise.</summary>
    public double? Gain => (IfAsyncLow ?? IfAsyncHigh) / (NowLow ?? NowHigh) is { } gain && double.IsFinite(gain) ? Math.Round(gain, 2) : null;

    /// <summary>
    /// throughput ≤ threads ÷ held time and ≤ cores ÷ CPU time (high); everybody may want the cores in the same moment (low). Held is taken
    /// free of the wait for a core: that goes away with the crowd. The server predicts the same way.
    /// </summary>
    /// <param name="limits">The server's threads and cores.</param>
    /// <param name="cpuMs">CPU time of a request.</param>
    /// <param name="gcMs">Its GC pauses.</param>
    /// <param name="blockedMs">Its blocked time.</param>
    /// <param name="avoidableMs">The part of it that async would remove.</param>
    public static CeilingFigures? Predict(CeilingLimits limits, double cpuMs, double gcMs, double blockedMs, double avoidableMs)
    {
        if (limits is not { Threads: > 0 and var threads, Cores: > 0 and var cores })
        {
            return null;
        }

        var cpu = cpuMs + limits.ServerOverheadMs;
        var now = Rate(cpuMs + gcMs, cpu, blockedMs, threads, cores, BoundBelowMs);
        var ifAsync = Rate(cpuMs + gcMs, cpu, Math.Max(0, blockedMs - avoidableMs), threads, cores, avoidableMs > 0 ? BoundBelowIfAsyncMs : BoundBelowMs);
        return new(threads, now.Low, now.High, ifAsync.Low, ifAsync.High);
    }

    private static (double? Low, double? High) Rate(double work, double cpu, double blocked, double threads, double cores, double boundBelow)
    {
        var byThreads = threads * 1000 / (work + blocked);
        var byCores = cores * 1000 / cpu;
        var high = Math.Min(byThreads, byCores);
        if (double.IsInfinity(high) || double.IsNaN(high))
        {
            return (null, null);
        }

        return byCores <= byThreads && cpu < boundBelow
            ? (null, Round(high))
            : (Round(Math.Min(high, threads * 1000 / (blocked + (threads * cpu / cores)))), Round(high));
    }

    private static double Round(double perSecond) => Math.Round(perSecond, 3);
}
