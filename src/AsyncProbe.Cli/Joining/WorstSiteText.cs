using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Joining;

/// <summary>Describes the place where an endpoint was blocked longest.</summary>
internal static class WorstSiteText
{
    /// <summary>Where it blocked, marked if the figures are incomplete; empty when nothing was seen.</summary>
    public static string Where(EndpointSide row) => row.WorstSiteIs switch
    {
        null => "",
        SiteCoverage.Fully => $"{row.WorstSite} [{row.WorstSiteKind}]",
        SiteCoverage.Sampled => $"{row.WorstSite} [{row.WorstSiteKind}] (sampled)",
        SiteCoverage.Earlier => $"{row.WorstSite} [{row.WorstSiteKind}] (known from before this run)",
        _ => $"{row.WorstSite} [{row.WorstSiteKind}] ({Part(row)})",
    };

    /// <summary>Whether the place is known but missing from the advice.</summary>
    public static bool NeedsPlace(EndpointSide row) =>
        row is { WorstSite: { } site, BlockedMs.Mean: > 0 } && row.Advice?.Contains(site, StringComparison.Ordinal) != true;

    // Where only some requests were watched, the time seen says nothing about a request: it is a small part of all their blocked time.
    private static string Part(EndpointSide row) =>
        row is { LookedAt: true, WorstSiteMs: { } ms } ? $"{FigureText.Ms(ms)} ms a request" : "in part";
}
