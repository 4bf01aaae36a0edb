namespace AsyncProbe.Cli.Server;

/// <summary>The run's rows of endpoints and call sites: what came in between two snapshots, and what that says.</summary>
internal static class EndpointJoin
{
    /// <summary>Below this share of the blocked time the sites that were seen are not all there is.</summary>
    private const double Explained = 0.9;

    /// <param name="begin">Null: all that the second holds belongs to the run.</param>
    /// <param name="end">After the run.</param>
    /// <param name="threadsMax">The most pool threads there were.</param>
    public static (IReadOnlyList<EndpointSide> Endpoints, IReadOnlyList<SiteSide> Sites) Build(
        ServerSnapshot? begin, ServerSnapshot end, double? threadsMax)
    {
        var sites = Sites(begin, end);
        var limits = CeilingLimits.From(begin, end, threadsMax);
        var earlier = (begin?.Endpoints ?? []).GroupBy(row => row.Endpoint).ToDictionary(rows => rows.Key, rows => rows.First());
        var rows = end.Endpoints.DistinctBy(row => row.Endpoint)
            .Select(row => Row(row, earlier.GetValueOrDefault(row.Endpoint), end, sites, limits))
            .OfType<EndpointSide>()
            .OrderByDescending(row => row.HeldMs.Total ?? row.Requests)
            .ToList();
        return (rows, [.. sites.Select(site => site with { Partial = IsPartial(site, rows) })]);
    }

    private static EndpointSide? Row(
        EndpointSnapshot row, EndpointSnapshot? before, ServerSnapshot end, List<SiteSide> sites, CeilingLimits limits)
    {
        var requests = row.Requests - (before?.Requests ?? 0);
        if (requests <= 0)
        {
            return null;
        }

        var blocked = row.BlockedMs.Since(before?.BlockedMs, requests);
        var mine = sites.Where(site => site.Endpoints.Contains(row.Endpoint)).ToList();
        var worst = mine.FirstOrDefault(site => site.Allowed is null);
        // A site that an earlier run showed may get no wait of this one: few requests carry the hook once the place is known.
        var known = worst is null ? end.Sites.FirstOrDefault(site => site.Allowed is null && site.Endpoints.Contains(row.Endpoint)) : null;
        var side = new EndpointSide
        {
            Endpoint = row.Endpoint,
            Requests = (long)requests,
            FromCache = (long)(row.FromCache - (before?.FromCache ?? 0)),
            HeldMs = row.HeldMs.Since(before?.HeldMs, requests),
            CpuMs = row.CpuMs.Since(before?.CpuMs, requests),
            BlockedMs = blocked,
            CpuWaitMs = row.CpuWaitMs.Since(before?.CpuWaitMs, requests),
            GcMs = row.GcMs.Since(before?.GcMs, requests),
            BlockedInGcMs = row.BlockedInGcMs?.Since(before?.BlockedInGcMs, requests),
            WorstSite = worst?.At ?? known?.Describe(),
            WorstSiteKind = worst?.Kind ?? known?.Kind,
            WorstSiteMs = worst is { Endpoints.Count: 1, BlockedMs.Total: { } seen }
                ? Math.Round(Math.Min(seen / requests, blocked.Mean ?? 0), 3)
                : null,
            LookedAt = end.LooksAlways,
            WorstSiteIs = worst is null ? known is null ? null : SiteCoverage.Earlier
                : worst.Sampled ? SiteCoverage.Sampled
                : SeenOf(mine) < Explained * blocked.Total ? SiteCoverage.Partly : SiteCoverage.Fully,
        };
        return EndpointVerdict.Decide(side, row, before, Allowed(mine), LockShare(mine, side, row), limits);
    }

    /// <summary>The worst first.</summary>
    private static List<SiteSide> Sites(ServerSnapshot? begin, ServerSnapshot end)
    {
        var earlier = (begin?.Sites ?? []).GroupBy(site => site.Key).ToDictionary(sites => sites.Key, sites => sites.First());
        var result = new List<SiteSide>();
        foreach (var site in end.Sites)
        {
            var before = earlier.GetValueOrDefault(site.Key);
            var count = site.Count - (before?.Count ?? 0);
            if (count > 0)
            {
                result.Add(new SiteSide
                {
                    Kind = site.Kind, At = site.Describe(), Via = site.Via, Count = (long)count,
                    BlockedMs = site.BlockedMs.Since(before?.BlockedMs, count),
                    Endpoints = site.Endpoints, Allowed = site.Allowed, Sampled = site.Sampled,
                });
            }
        }

        return [.. result.OrderByDescending(site => site.BlockedMs.Total ?? 0)];
    }

    private static bool IsPartial(SiteSide site, List<EndpointSide> rows) =>
        rows.Any(row => site.Endpoints.Contains(row.Endpoint) && row.WorstSiteIs is SiteCoverage.Partly or SiteCoverage.Sampled);

    private static double SeenOf(List<SiteSide> sites) => sites.Sum(site => site.BlockedMs.Total ?? 0);

    /// <summary>Blocked time that somebody has allowed, in ms.</summary>
    private static double Allowed(List<SiteSide> sites) => SeenOf(sites.FindAll(site => site.Allowed is not null));

    /// <summary>
    /// Of the blocked time that is not allowed. What nobody saw is no lock: a sleep that the hook cannot see must not count as the moment
    /// at a lock that it did.
    /// </summary>
    private static double LockShare(List<SiteSide> sites, EndpointSide side, EndpointSnapshot row)
    {
        var counted = sites.FindAll(site => site.Allowed is null);
        if (SeenOf(counted) is not (> 0 and var seen))
        {
            return 0;
        }

        // Where only some requests carry the hook, the server knows how much of what those were blocked its sites explain.
        var explained = !side.LookedAt ? row.Explained ?? 1
            : side.BlockedMs.Total - Allowed(sites) is > 0 and var accused ? Math.Min(1, seen / accused)
            : 1;
        return SeenOf(counted.FindAll(site => site.Kind == "Lock")) / seen * explained;
    }
}
