using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>Divides an endpoint's blocked time among the sites that windows have seen.</summary>
internal static class SharedTime
{
    /// <param name="seen">What windows saw of each, including what the hook timed: only all of it together shows the ratio.</param>
    /// <param name="nowhere">For how long windows saw threads that did nothing at no place.</param>
    /// <param name="blocked">The time to divide: what no site has.</param>
    /// <param name="unwatched">The endpoint's blocked time in requests without the hook.</param>
    /// <param name="endpoint">Whose.</param>
    /// <returns>
    /// So much more for each that all they have comes to the ratio of what was seen. A site of the hook's has all of its time in the
    /// requests that the hook watched, and gets its part of the others alone; where there is no other site, the rest stays without one.
    /// A site with few hits gets nothing, and neither does anyone get what it would have got, or what has no place.
    /// </returns>
    public static List<(BlockingSite Site, Duration Part)> Divide(
        IReadOnlyDictionary<BlockingSite, SeenTime> seen, Duration nowhere, Duration blocked, Duration unwatched, string endpoint)
    {
        var length = Sum(seen.Values.Select(s => s.Length)) + nowhere;
        if (length == Duration.Zero)
        {
            return [];
        }

        var rows = seen.Select(s => new Row(s.Key, s.Value.Length.RatioTo(length), s.Key.Find(endpoint), s.Value.Hits)).ToList();
        var all = Sum(rows.Select(r => r.Has)) + blocked;
        var wanted = Sum(rows.Select(r => r.Wants(all)));
        if (wanted == Duration.Zero)
        {
            return [];
        }

        List<(BlockingSite Site, Duration Part)> parts = [];
        var left = blocked;
        foreach (var row in rows.Where(r => r.IsTimed))
        {
            var part = Duration.Min(row.Wants(all).RatioTo(wanted) * blocked, ((row.Ratio * unwatched) - row.Windowed).OrZero());
            parts.Add((row.Site, part));
            left -= part;
        }

        // They may all have had their part, and what the hook's sites must not have is theirs too.
        var others = rows.Where(r => !r.IsTimed).ToList();
        var placeless = nowhere.RatioTo(length);
        var theirs = Sum(others.Select(r => r.Wants(all))) + (placeless * all);
        var ratios = others.Sum(r => r.Ratio) + placeless;
        parts.AddRange(others.Where(r => r.Hits >= Evidence.HitsForAShare).Select(
            r => (r.Site, (theirs > Duration.Zero ? r.Wants(all).RatioTo(theirs) : r.Ratio / ratios) * left)));
        return [.. parts.Where(p => p.Part > Duration.Zero)];
    }

    private static Duration Sum(IEnumerable<Duration> parts) => parts.Aggregate(Duration.Zero, (sum, part) => sum + part);

    private sealed class Row(BlockingSite site, double ratio, SiteEndpoint? known, int hits)
    {
        public BlockingSite Site => site;

        public double Ratio => ratio;

        public int Hits => hits;

        public bool IsTimed { get; } = known is not null && Counter.Read(ref known.Timed) > Duration.Zero;

        public Duration Windowed { get; } = known is null ? Duration.Zero : Counter.Read(ref known.Windowed);

        // Where the time at a site is allowed, the endpoint does not count it as blocked, except what a window gave.
        public Duration Has => known is null ? Duration.Zero : site.Allowed is null ? _blocked : Windowed;

        private readonly Duration _blocked = known is null ? Duration.Zero : Counter.Read(ref known.Blocked);

        public Duration Wants(Duration all) => ((ratio * all) - Has).OrZero();
    }
}
