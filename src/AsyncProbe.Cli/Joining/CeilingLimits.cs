using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Joining;

/// <summary>The server's resources during the run.</summary>
/// <param name="Threads">The maximum number of pool threads.</param>
/// <param name="Cores">The cores that it may use.</param>
/// <param name="RequestOverheadMs">The CPU time that a request costs outside its held time; 0 if the server hasn't measured it.</param>
/// <param name="QueueDelayMs">The mean time that a work item waited for a thread.</param>
internal sealed record CeilingLimits(double? Threads, double? Cores, double RequestOverheadMs, double QueueDelayMs = 0)
{
    public static CeilingLimits From(ServerSnapshot? begin, ServerSnapshot end, double? threadsMax)
    {
        var threads = threadsMax is { } most ? Math.Min(end.Pool.Max ?? most, Math.Max(end.Pool.Min ?? most, most)) : (double?)null;
        var delays = end.HistorySince(begin).Select(moment => moment.QueueDelayMs).OfType<double>().DefaultIfEmpty(0);
        return new(threads, end.CpuLimit ?? end.ProcessorCount, end.RequestOverheadMs ?? 0, delays.Average());
    }

    /// <summary>The server's own prediction for such a request; null when threads or cores are unknown.</summary>
    public Ceiling? Predict(HeldSplit mean, Duration avoidable) => this is { Threads: > 0 and var threads, Cores: > 0 and var cores }
        ? Ceiling.Create(mean, avoidable, Duration.FromMilliseconds(RequestOverheadMs), (int)threads, cores)
        : null;
}
