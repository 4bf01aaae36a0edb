using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Joining;

/// <summary>The server's resources during the run.</summary>
/// <param name="Threads">The maximum number of pool threads.</param>
/// <param name="Cores">The cores that it may use.</param>
/// <param name="ServerOverheadMs">The CPU time that a request costs outside its held time.</param>
/// <param name="QueueDelayMs">The mean time that a work item waited for a thread.</param>
internal sealed record CeilingLimits(double? Threads, double? Cores, double ServerOverheadMs, double QueueDelayMs = 0)
{
    /// <summary>With fewer requests, the background work of the process would be charged to only a handful of them.</summary>
    private const int RequestsUnderLoad = 1000;

    public static CeilingLimits From(ServerSnapshot? begin, ServerSnapshot end, double? threadsMax)
    {
        var threads = threadsMax is { } most ? Math.Min(end.Pool.Max ?? most, Math.Max(end.Pool.Min ?? most, most)) : (double?)null;
        var delays = end.HistorySince(begin).Select(moment => moment.QueueDelayMs).OfType<double>().DefaultIfEmpty(0);
        return new(threads, end.CpuLimit ?? end.ProcessorCount, ServerOverhead(begin, end), delays.Average());
    }

    /// <summary>The server's own prediction for such a request; null when threads or cores are unknown.</summary>
    public Ceiling? Predict(HeldSplit mean, Duration avoidable) => this is { Threads: > 0 and var threads, Cores: > 0 and var cores }
        ? Ceiling.Create(mean, avoidable, Duration.FromMilliseconds(ServerOverheadMs), (int)threads, cores)
        : null;

    private static double ServerOverhead(ServerSnapshot? begin, ServerSnapshot end)
    {
        var requests = end.Endpoints.Sum(row => row.Requests) - (begin?.Endpoints.Sum(row => row.Requests) ?? 0);
        var segments = CpuOf(end) - (begin is null ? 0 : CpuOf(begin));
        var outside = begin is null || requests < RequestsUnderLoad ? null : end.CpuMs - begin.CpuMs - segments;
        return outside > 0 ? outside.Value / requests : 0;
    }

    // Time spent in operations is not an overhead of requests.
    private static double? CpuOf(ServerSnapshot server) => server.Endpoints.Concat(server.Operations).Sum(row => row.CpuMs.Total);
}
