using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Joining;

/// <summary>The run's rows for endpoints and call sites: the difference between two snapshots, and the conclusions from it.</summary>
internal static class EndpointJoin
{
    private static readonly string s_lock = WaitKind.Lock.Name();

    /// <param name="begin">Before the run; null when everything in the second snapshot belongs to the run.</param>
    /// <param name="end">After the run.</param>
    /// <param name="limits">The server's threads and cores.</param>
    public static (IReadOnlyList<EndpointSide> Endpoints, IReadOnlyList<SiteSide> Sites) Build(
        ServerSnapshot? begin, ServerSnapshot end, CeilingLimits limits)
    {
        var sites = Sites(begin, end);
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

        var mine = sites.Where(site => site.Endpoints.Contains(row.Endpoint)).ToList();
        var place = new EndpointPlace(
            [.. mine.Where(site => site.Allowed is null)],
            [.. end.Sites.Where(site => site.Allowed is null && site.Endpoints.Contains(row.Endpoint))],
            SeenOf(mine), row.Explained);
        var side = new EndpointSide
        {
            Endpoint = row.Endpoint,
            Requests = (long)requests,
            FromCache = (long)(row.FromCache - (before?.FromCache ?? 0)),
            HeldMs = row.HeldMs.Since(before?.HeldMs, requests),
            CpuMs = row.CpuMs.Since(before?.CpuMs, requests),
            BlockedMs = row.BlockedMs.Since(before?.BlockedMs, requests),
            CpuWaitMs = row.CpuWaitMs.Since(before?.CpuWaitMs, requests),
            GcMs = row.GcMs.Since(before?.GcMs, requests),
            BlockedInGcMs = row.BlockedInGcMs?.Since(before?.BlockedInGcMs, requests),
            WorstSite = null,
            WorstSiteKind = null,
            LookedAt = end.LooksAlways || place.IsMinor,
        };
        return Decide(side, row, before, place, Shares(mine, side, row, before), limits, end.HasSnapshots);
    }

    private static EndpointSide Decide(
        EndpointSide side, EndpointSnapshot row, EndpointSnapshot? before, EndpointPlace place, RunShares shares, CeilingLimits limits,
        bool hasSnapshots)
    {
        var (named, _) = place.Name(side);
        if (side is not { HeldMs.Mean: not null, CpuMs.Mean: not null, BlockedMs.Mean: not null }
            || side.Requests < Verdicts.RequestsNeeded)
        {
            return named with { Verdict = EndpointVerdict.NotEnoughData };
        }

        var (withLock, worstLock) = place.NameLock(side);
        var (toAwait, worst) = place.NameToAwait(side);
        var endpoint = EndpointCases.Create(toAwait, row, before, shares, limits) with
        {
            Worst = worst,
            WorstLock = worstLock,
            Provider = place.Provider,
            BlockedAsWriter = Duration.FromMilliseconds(place.BlockedAsWriterMs(side)),
            HasSnapshots = hasSnapshots,
        };
        var verdict = Verdicts.Decide(endpoint);
        var decided = (verdict switch
        {
            Verdict.LockContention when worstLock is not null => withLock,
            Verdict.AsyncWillHelp when worst is not null => toAwait,
            _ => named,
        }) with
        {
            CeilingPerSecond = endpoint.Ceiling is { } ceiling ? CeilingFigures.From(ceiling) : null,
            UnclearMs = Math.Round(endpoint.Parts.Unclear.TotalMilliseconds, 3),
        };

        // This tool can't decide a verdict that is newer than itself.
        return row.Verdict is { } other && !EndpointVerdict.IsKnown(other)
            ? decided with { Verdict = other }
            : decided with { Verdict = EndpointVerdict.Name(verdict), Advice = Advice.Write(endpoint, verdict) };
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
                    BlockedMs = site.BlockedMs.Since(before?.BlockedMs, count) with { Mean = site.MeanSince(before) },
                    Endpoints = site.Endpoints, Allowed = site.Allowed, Sampled = site.Sampled, Known = site,
                });
            }
        }

        return [.. result.OrderByDescending(site => site.BlockedMs.Total ?? 0)];
    }

    private static bool IsPartial(SiteSide site, List<EndpointSide> rows) =>
        rows.Any(row => site.Endpoints.Contains(row.Endpoint) && row.WorstSiteIs is SiteCoverage.Partly or SiteCoverage.Sampled);

    private static double SeenOf(List<SiteSide> sites) => sites.Sum(site => site.BlockedMs.Total ?? 0);

    private static RunShares Shares(List<SiteSide> sites, EndpointSide side, EndpointSnapshot row, EndpointSnapshot? before)
    {
        var locks = LockShare(sites, side, row);
        var provider = row.Shares?.Provider ?? (row.Verdict == EndpointVerdict.ProviderIsSynchronous ? 1 - locks : 0);
        if (side.BlockedMs.Total is not (> 0 and var blocked))
        {
            return default;
        }

        var placed = row.Shares?.Placed ?? (sites.Exists(site => site.Sampled) ? 1 : row.Explained) ?? Math.Min(1, SeenOf(sites) / blocked);
        return new(Allowed(sites, side, row, before) / blocked, locks, provider, placed, row.Shares?.Unexplained);
    }

    /// <summary>
    /// The allowed blocked time in ms. Scopes and attributes are known for every request. A rule is known only where its method was seen
    /// waiting.
    /// </summary>
    private static double Allowed(List<SiteSide> sites, EndpointSide side, EndpointSnapshot row, EndpointSnapshot? before) => Math.Max(
        row.AllowedMs?.Since(before?.AllowedMs, side.Requests).Total ?? 0,
        (row.Shares?.Allowed * side.BlockedMs.Total) ?? AllowedAt(sites));

    private static double AllowedAt(List<SiteSide> sites) => SeenOf(sites.FindAll(site => site.Allowed is not null));

    /// <summary>
    /// The share of locks in blocked time that is not allowed. Unseen time doesn't count as locks: a long sleep that the hook can't see
    /// must not count as a lock because the hook saw a brief wait at one.
    /// </summary>
    private static double LockShare(List<SiteSide> sites, EndpointSide side, EndpointSnapshot row)
    {
        if (row.Shares is { } shares)
        {
            return shares.Locks;
        }

        var counted = sites.FindAll(site => site.Allowed is null);
        if (SeenOf(counted) is not (> 0 and var seen))
        {
            return 0;
        }

        // If only some requests carry the hook, the server knows what share of those requests' blocked time its sites explain.
        var explained = !side.LookedAt ? row.Explained ?? 1
            : side.BlockedMs.Total - AllowedAt(sites) is > 0 and var accused ? Math.Min(1, seen / accused)
            : 1;
        return SeenOf(counted.FindAll(site => site.Kind == s_lock)) / seen * explained;
    }
}
