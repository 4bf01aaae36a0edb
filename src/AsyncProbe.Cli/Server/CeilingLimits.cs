namespace AsyncProbe.Cli.Server;

/// <summary>What the server had during the run: the most threads, its cores, and the CPU time that a request costs outside of what is held.</summary>
internal sealed record CeilingLimits(double? Threads, double? Cores, double ServerOverheadMs)
{
    /// <summary>With fewer the process's background work would be charged to few requests.</summary>
    private const int RequestsUnderLoad = 1000;

    public static CeilingLimits From(ServerSnapshot? begin, ServerSnapshot end, double? threadsMax)
    {
        var threads = threadsMax is { } most ? Math.Min(end.Pool.Max ?? most, Math.Max(end.Pool.Min ?? most, most)) : (double?)null;
        return new(threads, end.CpuLimit ?? end.ProcessorCount, ServerOverhead(begin, end));
    }

    private static double ServerOverhead(ServerSnapshot? begin, ServerSnapshot end)
    {
        var requests = end.Endpoints.Sum(row => row.Requests) - (begin?.Endpoints.Sum(row => row.Requests) ?? 0);
        var segments = end.Endpoints.Sum(row => row.CpuMs.Total) - (begin?.Endpoints.Sum(row => row.CpuMs.Total) ?? 0);
        var outside = begin is null || requests < RequestsUnderLoad ? null : end.CpuMs - begin.CpuMs - segments;
        return outside > 0 ? outside.Value / requests : 0;
    }
}
