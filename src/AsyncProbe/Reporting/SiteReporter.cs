using System.Runtime.InteropServices;
using AsyncProbe.Blocking;
using AsyncProbe.Requests;

namespace AsyncProbe.Reporting;

/// <summary>The report's rows of call sites.</summary>
/// <param name="sites">What was seen.</param>
/// <param name="includeStacks">Whether rows carry the stack of their first wait.</param>
internal sealed class SiteReporter(IReadOnlyList<BlockingSite> sites, bool includeStacks)
{
    // Made once for all endpoints: asking every site about every endpoint would be half a million questions in a large app.
    private Dictionary<string, (BlockingSite Site, long Blocked)>? _worst;
    private Dictionary<string, (BlockingSite Site, long Blocked)>? _worstSampled;

    /// <summary>Worst first.</summary>
    /// <param name="isShown">Which endpoints count; null for all.</param>
    public IEnumerable<SiteReport> Describe(Func<string, bool>? isShown)
    {
        Dictionary<RowKey, List<BlockingSite>> rows = [];
        foreach (var site in sites)
        {
            if (isShown is null || site.Endpoints.Any(e => isShown(e.Key)))
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(rows, Row(site), out _) ??= new(1)).Add(site);
            }
        }

        return rows.Select(row => (row.Key, Parts: row.Value, Total: row.Value.Sum(p => p.Total)))
            .OrderByDescending(row => row.Total)
            .Select(row => Describe(row.Key, row.Parts, row.Total));
    }

    /// <summary>Where an endpoint was blocked longest in all; null when nowhere was seen.</summary>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="isSampled">Only a place that a snapshot has seen.</param>
    public BlockingSite? WorstOf(string endpoint, bool isSampled)
    {
        var all = isSampled ? _worstSampled ??= FindWorst(sites.Where(s => s.IsSampled)) : _worst ??= FindWorst(sites);
        return all.TryGetValue(endpoint, out var worst) ? worst.Site : null;
    }

    private static Dictionary<string, (BlockingSite Site, long Blocked)> FindWorst(IEnumerable<BlockingSite> sites)
    {
        Dictionary<string, (BlockingSite Site, long Blocked)> worst = new(StringComparer.Ordinal);
        foreach (var site in sites.Where(s => s.Allowed is null && s.At is not null))
        {
            foreach (var (endpoint, row) in site.Endpoints)
            {
                if (!worst.TryGetValue(endpoint, out var known) || row.Blocked > known.Blocked)
                {
                    worst[endpoint] = (site, row.Blocked);
                }
            }
        }

        return worst;
    }

    // One source line may be several places in the compiled method, and in its optimised form others again.
    private static RowKey Row(BlockingSite site) => new(site.Kind, site.At?.Frame.FullName, site.At?.Line, site.Allowed);

    private SiteReport Describe(RowKey key, List<BlockingSite> parts, long total)
    {
        var first = parts.MinBy(p => p.FirstSeen)!;
        var count = parts.Sum(p => p.Count);
        return new SiteReport(
            key.Kind.Name(),
            first.At?.Frame.ShortName ?? EndpointName.Overflow,
            key.Line?.File,
            key.Line?.Line,
            first.Via?.ShortName,
            count,
            new TimesReport(total, count == 0 ? null : total / count, parts.Max(p => p.Max)),
            Endpoints(parts),
            first.FirstSeen,
            parts.Max(p => p.LastSeen),
            key.Allowed,
            parts.Any(p => p.IsSampled),
            includeStacks ? first.ShortStack : null);
    }

    private static List<string> Endpoints(List<BlockingSite> parts)
    {
        List<(string Endpoint, long Blocked)> all = new(1);
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
            : [.. all.GroupBy(e => e.Endpoint).OrderByDescending(g => g.Sum(e => e.Blocked)).Select(g => g.Key)];
    }

    private readonly record struct RowKey(WaitKind Kind, string? At, SourceLine? Line, string? Allowed);
}
