namespace AsyncProbe.Cli.Server;

/// <summary>Where an endpoint was blocked longest: in the run or, where none of its requests was watched, before.</summary>
/// <param name="seen">The endpoint's sites that the run met and nobody allowed, the worst first.</param>
/// <param name="known">All that the server knows of these, the worst first.</param>
/// <param name="seenMs">What was seen at the run's sites, the allowed ones with them.</param>
/// <param name="explained">The share of the blocked time that the server's sites make up; null when nobody has looked.</param>
internal sealed class EndpointPlace(
    IReadOnlyList<SiteSide> seen, IReadOnlyList<SiteSnapshot> known, double seenMs, double? explained)
{
    public const string Lock = "Lock";

    // Below this share of the blocked time the sites that were seen are not all there is.
    private const double AllOfIt = 0.9;

    // Below this share what the hook has seen is not the place, as in the server's sentences.
    private const double HardlyAnything = 0.1;

    /// <summary>Whether stack snapshots tell of what the hook cannot see.</summary>
    public bool IsSampled { get; } = known.Any(site => site.Sampled);

    /// <summary>Whether all that was ever seen is next to nothing of the blocked time.</summary>
    public bool IsTrifle => !IsSampled && explained < HardlyAnything;

    public EndpointSide Name(EndpointSide row) => Name(row, seen, IsTrifle ? [] : known);

    /// <summary>The lock, for a verdict that speaks of one, though the longest waits are elsewhere.</summary>
    public EndpointSide NameLock(EndpointSide row)
    {
        var named = Name(row, [.. seen.Where(site => site.Kind == Lock)], [.. known.Where(site => site.Kind == Lock)]);
        return named.WorstSite is null ? row : named with { Advice = EndpointAdvice.Describe(named) };
    }

    private EndpointSide Name(EndpointSide row, IReadOnlyList<SiteSide> met, IReadOnlyList<SiteSnapshot> earlier)
    {
        var (worst, before) = (met.Count > 0 ? met[0] : null, earlier.Count > 0 ? earlier[0] : null);
        return row with
        {
            WorstSite = worst?.At ?? before?.Describe(),
            WorstSiteKind = worst?.Kind ?? before?.Kind,
            WorstSiteMs = worst is { Endpoints.Count: 1, BlockedMs.Total: { } ms }
                ? Math.Round(Math.Min(ms / row.Requests, row.BlockedMs.Mean ?? 0), 3)
                : null,
            WorstSiteIs = worst is null ? before is null ? null : SiteCoverage.Earlier
                : worst.Sampled ? SiteCoverage.Sampled
                : seenMs < AllOfIt * row.BlockedMs.Total ? SiteCoverage.Partly : SiteCoverage.Fully,
        };
    }
}
