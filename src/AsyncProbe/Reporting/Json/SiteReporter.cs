using System.Runtime.InteropServices;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Reporting.Json;

/// <summary>Makes the report's rows of call sites.</summary>
/// <param name="sites">The call sites seen.</param>
/// <param name="includeStacks">Whether rows include the source text and the stack of their first wait.</param>
/// <param name="watched">Endpoints with every blocked request watched, so their sites account for all of their blocked time.</param>
internal sealed class SiteReporter(IReadOnlyList<BlockingSite> sites, bool includeStacks, IReadOnlySet<string> watched)
{
    /// <summary>Worst first.</summary>
    /// <param name="isShown">Which endpoints to include; null for all.</param>
    public IEnumerable<SiteReport> Describe(Func<string, bool>? isShown)
    {
        Dictionary<ReportedPlace, List<BlockingSite>> rows = [];
        foreach (var site in sites)
        {
            if (isShown is null || site.Endpoints.Any(e => isShown(e.Key)))
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(rows, ReportedPlace.Of(site), out _) ??= new(1)).Add(site);
            }
        }

        // Read the shares before the totals. A share that arrives in between is then only in the total, so no mean is negative.
        return rows.Select(row => (
                row.Key, Parts: row.Value, Shared: Sum(row.Value.Select(p => p.Shared)), Total: Sum(row.Value.Select(p => p.Total))))
            .OrderByDescending(row => row.Total)
            .Select(row => Describe(row.Key, row.Parts, row.Shared, row.Total));
    }

    private SiteReport Describe(ReportedPlace key, List<BlockingSite> parts, Duration shared, Duration total)
    {
        var first = parts.MinBy(p => p.FirstSeen)!;
        var count = parts.Sum(p => p.Count);
        return new SiteReport(
            key.Kind.Name(),
            first.At?.Name ?? RowNames.Other,
            key.Line?.File,
            key.Line?.Line,
            first.Via?.ShortName,
            count,
            new TimesReport(total, count == 0 ? null : (total - shared) / count, parts.Max(p => p.Max)),
            Endpoints(parts),
            first.FirstSeen,
            parts.Max(p => p.LastSeen),
            key.Allowed,
            parts.Any(p => p.IsFromSnapshot),
            parts.Sum(p => p.Hits),
            EvidenceOf(parts),
            IsPartial(key.Kind, parts),
            first.Advice.Help,
            parts.Select(p => p.Advice.Awaitable).FirstOrDefault(a => a is not null),
            parts.Select(p => p.Advice.Instead).FirstOrDefault(i => i is not null),
            first.LockOwner is { } owner ? new OwnerReport(owner.Name, owner.IsLogger) : null,
            first.Advice.Limit,
            first.Provider?.Name,
            includeStacks ? key.Line?.Text : null,
            includeStacks ? first.ShortStack : null);
    }

    private static EvidenceReport EvidenceOf(List<BlockingSite> parts)
    {
        var evidence = parts.Aggregate(default(Evidence), (sum, part) => sum + part.Evidence);
        return new(evidence.Waits, evidence.Measured.ToMilliseconds(), evidence.Hits, evidence.Sampled.ToMilliseconds());
    }

    // EF Core reports every command, whether the request was watched or not.
    private bool IsPartial(WaitKind kind, List<BlockingSite> parts) =>
        parts.Any(p => p.IsFromSnapshot || (kind != WaitKind.EfCore && p.Endpoints.Any(e => !watched.Contains(e.Key))));

    private static List<string> Endpoints(List<BlockingSite> parts)
    {
        List<(string Endpoint, Duration Blocked)> all = new(1);
        foreach (var part in parts)
        {
            foreach (var (endpoint, row) in part.Endpoints)
            {
                all.Add((endpoint, row.Blocked));
            }
        }

        // Most sites have one endpoint.
        return all is [var only]
            ? [only.Endpoint]
            : [.. all.GroupBy(e => e.Endpoint).OrderByDescending(g => Sum(g.Select(e => e.Blocked))).Select(g => g.Key)];
    }

    private static Duration Sum(IEnumerable<Duration> times) => times.Aggregate(Duration.Zero, (sum, time) => sum + time);
}
