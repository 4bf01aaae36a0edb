using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>Divides an endpoint's blocked time among the sites that windows have seen.</summary>
internal static class SharedTime
{
    /// <param name="seen">
    /// What windows saw at each site, including waits that the hook timed. Only all of it together shows the ratio.
    /// </param>
    /// <param name="nowhere">How long windows saw idle threads without a place.</param>
    /// <param name="blocked">The time to divide, which no site has.</param>
    /// <param name="unwatched">The endpoint's blocked time in requests without the hook.</param>
    /// <param name="endpoint">The endpoint.</param>
    /// <returns>
    /// The time to add to each site, so that the sites' totals match the ratio of what was seen. A site that the hook timed already has all
    /// its time from the watched requests, so it gets only its part of the unwatched ones. If the hook timed every site, the rest stays
    /// unassigned. A site with few hits gets nothing. Its part stays unassigned, and so does the part of time without a place.
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

        // The other sites may already have their part. They also get what the hook's sites must not take.
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

        // An endpoint doesn't count a site's allowed time as blocked, except for time that a window added.
        public Duration Has => known is null ? Duration.Zero : site.Allowed is null ? _blocked : Windowed;

        private readonly Duration _blocked = known is null ? Duration.Zero : Counter.Read(ref known.Blocked);

        public Duration Wants(Duration all) => ((ratio * all) - Has).OrZero();
    }
}
