using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Observation;

/// <summary>
/// Merges several replicas' rows for the same endpoint or line, and names any replica that is far from the others.
/// </summary>
internal static class FleetMerge
{
    /// <summary>A difference of a few milliseconds per request is normal.</summary>
    private const double LeastMs = 5;

    /// <summary>A line that keeps a twentieth of a thread blocked is not worth examining a replica for.</summary>
    private const double LeastThreads = 0.05;

    public static IReadOnlyList<FleetEndpoint> Endpoints(IReadOnlyList<ReplicaSide> replicas) =>
    [
        .. replicas.SelectMany(replica => replica.Server.Endpoints.Select(row => (Replica: replica, Row: row)))
            .GroupBy(pair => pair.Row.Endpoint).Select(rows => Endpoint([.. rows]))
            .OrderByDescending(row => row.BlockedMs.Total ?? 0).ThenByDescending(row => row.HeldMs.Total ?? 0),
    ];

    public static IReadOnlyList<FleetSite> Sites(IReadOnlyList<ReplicaSide> replicas) =>
    [
        .. replicas.SelectMany(replica => replica.Server.Sites.Select(site => (Replica: replica, Site: site)))
            .GroupBy(pair => (pair.Site.Kind, pair.Site.At, pair.Site.Via, pair.Site.Allowed))
            .OrderByDescending(sites => sites.Sum(pair => SiteWeight.Threads(pair.Replica, pair.Site)))
            .Select(sites => Site([.. sites], replicas)),
    ];

    private static FleetEndpoint Endpoint(List<(ReplicaSide Replica, EndpointSide Row)> rows)
    {
        var enough = rows.FindAll(pair => pair.Row.Requests >= Verdicts.RequestsNeeded);
        return new()
        {
            Endpoint = rows[0].Row.Endpoint,
            Replicas = rows.Select(pair => pair.Replica).Distinct().Count(),
            Requests = rows.Sum(pair => pair.Row.Requests),
            RequestsPerSecond = Math.Round(rows.Sum(pair => PerSecond(pair.Row.Requests, pair.Replica)), 3),
            HeldMs = Sum(row => row.HeldMs),
            CpuMs = Sum(row => row.CpuMs),
            CpuWaitMs = Sum(row => row.CpuWaitMs),
            GcMs = Sum(row => row.GcMs),
            BlockedMs = Sum(row => row.BlockedMs),
            BlockedThreads = BlockedThreads(rows.Select(pair => (pair.Replica, pair.Row.BlockedMs))),
            Verdict = rows.OrderByDescending(pair => pair.Row.Verdict is not null and not EndpointVerdict.NotEnoughData)
                .ThenByDescending(pair => pair.Row.Requests)
                .Select(pair => pair.Row.Verdict).FirstOrDefault(),
            Odd = OddReplica.Find(Means(row => row.BlockedMs), LeastMs) ?? OddReplica.Find(Means(row => row.HeldMs), LeastMs),
        };

        TimeSums Sum(Func<EndpointSide, TimeSums> time) => Merge(rows.Select(pair => ((double)pair.Row.Requests, time(pair.Row))));

        IEnumerable<(string, double)> Means(Func<EndpointSide, TimeSums> time) =>
            enough.Where(pair => time(pair.Row).Mean is not null).Select(pair => (pair.Replica.Name, time(pair.Row).Mean!.Value));
    }

    private static FleetSite Site(List<(ReplicaSide Replica, SiteSide Site)> sites, IReadOnlyList<ReplicaSide> replicas)
    {
        var first = sites[0].Site;
        return new()
        {
            Kind = first.Kind,
            At = first.At,
            Via = first.Via,
            Allowed = first.Allowed,
            Replicas = sites.Select(pair => pair.Replica).Distinct().Count(),
            Count = sites.Sum(pair => pair.Site.Count),
            BlockedMs = MergeWaits(sites.Select(pair => ((double)pair.Site.Count, pair.Site.BlockedMs))),
            BlockedThreads = BlockedThreads(sites.Select(pair => (pair.Replica, pair.Site.BlockedMs))),
            Endpoints = [.. sites.SelectMany(pair => pair.Site.Endpoints).Distinct()],
            Sampled = sites.Exists(pair => pair.Site.Sampled),
            Partial = sites.Exists(pair => pair.Site.Partial),
            // A replica where the line never blocked counts with 0.
            Odd = OddReplica.Find(
                replicas.Where(replica => replica.IsObserved).Select(replica =>
                    (replica.Name,
                        BlockedThreads(sites.FindAll(pair => pair.Replica == replica).Select(pair => (pair.Replica, pair.Site.BlockedMs)))
                            ?? 0)),
                LeastThreads),
        };
    }

    private static TimeSums Merge(IEnumerable<(double Count, TimeSums Time)> parts)
    {
        var known = parts.Where(part => part.Time.Total is not null).ToList();
        if (known.Count == 0)
        {
            return new(null, null, null);
        }

        var (total, count) = (known.Sum(part => part.Time.Total!.Value), known.Sum(part => part.Count));
        return new(Math.Round(total, 3), count > 0 ? Math.Round(total / count, 3) : null, known.Max(part => part.Time.Max));
    }

    // A site's total also has shares of its endpoints' blocked time that belong to no single wait, so it is not divided by the count.
    private static TimeSums MergeWaits(IEnumerable<(double Count, TimeSums Time)> parts)
    {
        var all = parts.ToList();
        var known = all.Where(part => part is { Count: > 0, Time.Mean: not null }).ToList();
        var waitedMs = known.Sum(part => part.Count * part.Time.Mean!.Value);
        return Merge(all) with { Mean = known.Count == 0 ? null : Math.Round(waitedMs / known.Sum(part => part.Count), 3) };
    }

    private static double? BlockedThreads(IEnumerable<(ReplicaSide Replica, TimeSums Time)> parts)
    {
        var known = parts.Where(part => part.Time.Total is not null).ToList();
        return known.Count == 0 ? null : Math.Round(known.Sum(part => PerSecond(part.Time.Total!.Value / 1000, part.Replica)), 3);
    }

    private static double PerSecond(double amount, ReplicaSide replica) => replica.Seconds > 0 ? amount / replica.Seconds : 0;
}
