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

    /// <summary>Worst first.</summary>
    /// <param name="isShown">Which endpoints count.</param>
    public IReadOnlyList<SiteReport> Describe(Func<string, bool> isShown) =>
        [.. sites
            .Where(site => site.Endpoints.Any(e => isShown(e.Key)))
            .GroupBy(Row)
            .Select(row => Describe(row.Key, [.. row.OrderBy(site => site.FirstSeen)]))
            .OrderByDescending(row => row.BlockedMs.Total)];

    /// <summary>Where an endpoint was blocked longest in all, as text; null when nowhere was seen.</summary>
    public string? WorstOf(string endpoint) => (_worst ??= FindWorst()).TryGetValue(endpoint, out var worst) ? worst.Site.Text : null;

    private Dictionary<string, (BlockingSite Site, long Blocked)> FindWorst()
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

    private SiteReport Describe(RowKey key, List<BlockingSite> parts)
    {
        var count = parts.Sum(p => p.Count);
        var total = parts.Sum(p => p.Total);
        return new SiteReport(
            key.Kind.Name(),
            parts[0].At?.Frame.ShortName ?? EndpointName.Overflow,
            key.Line?.File,
            key.Line?.Line,
            parts[0].Via?.ShortName,
            count,
            new TimesReport(
                Nanoseconds.ToMilliseconds(total),
                count == 0 ? null : Nanoseconds.ToMilliseconds(total / count),
                Nanoseconds.ToMilliseconds(parts.Max(p => p.Max))),
            [.. parts.SelectMany(p => p.Endpoints).GroupBy(e => e.Key).OrderByDescending(e => e.Sum(x => x.Value.Blocked)).Select(e => e.Key)],
            parts[0].FirstSeen,
            parts.Max(p => p.LastSeen),
            key.Allowed,
            parts.Any(p => p.IsSampled),
            includeStacks ? [.. parts[0].Stack.Select(f => f.Text)] : null);
    }

    private sealed record RowKey(WaitKind Kind, string? At, SourceLine? Line, string? Allowed);
}
