using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Joining;

/// <summary>Where an endpoint was blocked longest: in the run or, if none of its requests was watched, before it.</summary>
/// <param name="seen">The endpoint's sites that occurred in the run and aren't allowed, the worst first.</param>
/// <param name="known">All of the endpoint's sites that the server knows and that aren't allowed, the worst first.</param>
/// <param name="seenMs">The time seen at the run's sites, including the allowed ones.</param>
/// <param name="explained">The share of the blocked time that the server's sites explain; null when no request was watched.</param>
internal sealed class EndpointPlace(
    IReadOnlyList<SiteSide> seen, IReadOnlyList<SiteSnapshot> known, double seenMs, double? explained)
{
    // Below this share of the blocked time, the sites that were seen don't account for all of it.
    private const double AllOfIt = 0.9;

    // Below this share, what the hook saw isn't where the time went, as in the server's sentences.
    private const double HardlyAnything = 0.1;

    private static readonly string s_lock = WaitKind.Lock.Name();

    /// <summary>Whether everything ever seen is next to nothing compared with the blocked time.</summary>
    public bool IsMinor { get; } = !known.Any(site => site.Sampled) && explained < HardlyAnything;

    /// <summary>The provider that is synchronous internally and blocked longest; null when none was seen.</summary>
    public SynchronousProvider? Provider { get; } =
        seen.Select(site => site.Known?.Provider).Concat(known.Select(site => site.Provider)).FirstOrDefault(p => p is not null);

    /// <summary>How long the mean request was blocked, at most, while it kept all others from writing to their database.</summary>
    public double BlockedAsWriterMs(EndpointSide row) => Math.Min(
        seen.Where(site => site.Known?.Limit == WaitPlace.WriteLock).Sum(site => site.BlockedMs.Total ?? 0) / row.Requests,
        row.BlockedMs.Mean ?? 0);

    /// <summary>Puts the worst place in the row, and returns what the rules need to know about it.</summary>
    public (EndpointSide Row, WaitPlace? Place) Name(EndpointSide row) => Name(row, seen, IsMinor ? [] : known);

    /// <summary>
    /// Does the same for the worst place where await frees the thread: neither a lock, nor inside a provider that is synchronous
    /// internally.
    /// </summary>
    public (EndpointSide Row, WaitPlace? Place) NameToAwait(EndpointSide row) =>
        Name(
            row, [.. seen.Where(site => FreesThread(site.Kind, site.Known?.Provider))],
            IsMinor ? [] : [.. known.Where(site => FreesThread(site.Kind, site.Provider))]);

    /// <summary>Does the same for the worst lock, for a verdict about locks, although the longest waits may be elsewhere.</summary>
    public (EndpointSide Row, WaitPlace? Place) NameLock(EndpointSide row) =>
        Name(row, [.. seen.Where(site => site.Kind == s_lock)], [.. known.Where(site => site.Kind == s_lock)]);

    private static bool FreesThread(string kind, SynchronousProvider? provider) => kind != s_lock && provider is null;

    private (EndpointSide Row, WaitPlace? Place) Name(EndpointSide row, IReadOnlyList<SiteSide> met, IReadOnlyList<SiteSnapshot> earlier)
    {
        var (worst, before) = (met.Count > 0 ? met[0] : null, earlier.Count > 0 ? earlier[0] : null);
        var named = row with
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
        return (named, named.WorstSite is null ? null : PlaceOf(named, worst is null ? before : worst.Known));
    }

    private static WaitPlace PlaceOf(EndpointSide row, SiteSnapshot? site) => new(WorstSiteText.Where(row))
    {
        Instead = site?.Instead,
        IsAwaitable = site?.Awaitable is not null,
        Help = site?.Help,
        Owner = site?.Owner,
        IsLogger = site is { IsLogger: true },
        Limit = site?.Limit,
    };
}
