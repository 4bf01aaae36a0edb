using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Joining;

/// <summary>
/// All sites of the endpoints that a run used, not only those that blocked in the measured time. Once the server has named what blocks, it
/// watches few requests, and perhaps none in a short run.
/// </summary>
internal static class KnownSites
{
    /// <param name="begin">Before the run; null when everything in the second snapshot counts.</param>
    /// <param name="end">After the run.</param>
    public static IReadOnlyList<KnownSite> Find(ServerSnapshot? begin, ServerSnapshot end)
    {
        var sitesBefore = (begin?.Sites ?? []).GroupBy(site => site.Key).ToDictionary(sites => sites.Key, sites => sites.First());
        var rowsBefore = Rows(begin).GroupBy(row => row.Endpoint).ToDictionary(rows => rows.Key, rows => rows.Max(row => row.Requests));
        var idle = Rows(end)
            .Where(row => row.Requests <= rowsBefore.GetValueOrDefault(row.Endpoint))
            .Select(row => row.Endpoint).ToHashSet();
        return
        [
            .. end.Sites.Select(site => Find(site, end.IsPartial(site), sitesBefore.GetValueOrDefault(site.Key), idle)).OfType<KnownSite>(),
        ];
    }

    private static IEnumerable<EndpointSnapshot> Rows(ServerSnapshot? snapshot) =>
        snapshot is null ? [] : snapshot.Endpoints.Concat(snapshot.Operations);

    private static KnownSite? Find(SiteSnapshot site, bool partial, SiteSnapshot? before, HashSet<string> idle)
    {
        var count = site.Count - (before?.Count ?? 0);
        var met = site.Endpoints.Where(endpoint => !idle.Contains(endpoint)).ToList();
        if (site.At is null || (met.Count == 0 && count <= 0))
        {
            return null;
        }

        return new KnownSite
        {
            Kind = site.Kind,
            Method = site.At,
            File = site.File?.Replace('\\', '/'),
            Line = site.Line is > 0 and <= int.MaxValue and var line ? (int)line : null,
            Via = site.Via,
            // A request in flight isn't in any count yet, but its waits are.
            Endpoints = met.Count > 0 ? met : site.Endpoints,
            Count = (long)(count > 0 ? count : site.Count),
            MeanMs = count > 0 ? site.MeanSince(before) : site.BlockedMs.Mean,
            Sampled = site.Sampled,
            Partial = partial,
            Earlier = count <= 0,
            Allowed = site.Allowed,
            Awaitable = site.Awaitable,
        };
    }
}
