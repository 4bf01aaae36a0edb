using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>Divides an endpoint's blocked time among the sites that windows have seen.</summary>
internal static class SharedTime
{
    // In standard deviations. Beyond that, the endpoint no longer waits as it did when the hook watched it.
    private const int MostNoise = 2;

    /// <param name="seen">
    /// What windows saw at each site, including waits that the hook timed. Only all of it together shows the ratio.
    /// </param>
    /// <param name="nowhere">How long windows saw idle threads without a place.</param>
    /// <param name="blocked">The time to divide, which no site has.</param>
    /// <param name="watched">The endpoint's blocked time in requests with the hook.</param>
    /// <param name="unwatched">The endpoint's blocked time in requests without it.</param>
    /// <param name="endpoint">The endpoint.</param>
    /// <returns>
    /// The time to add to each site, so that the sites' totals match the ratio of what was seen. A site that the hook timed already has all
    /// its time from the watched requests, so it gets only its part of the unwatched ones. If the hook timed every site, the rest stays
    /// unassigned. A site with few hits gets nothing. Its part stays unassigned, and so does the part of time without a place.
    /// </returns>
    public static List<(BlockingSite Site, Duration Part)> Divide(
        IReadOnlyDictionary<BlockingSite, SeenTime> seen, Duration nowhere, Duration blocked, Duration watched, Duration unwatched,
        string endpoint)
    {
        var length = Sum(seen.Values.Select(s => s.Length)) + nowhere;
        if (length == Duration.Zero)
        {
            return [];
        }

        var rows = seen.Select(s => new Row(s.Key, s.Value.Length.RatioTo(length), s.Key.Find(endpoint), s.Value.Hits, watched)).ToList();
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

    private sealed class Row(BlockingSite site, double seen, SiteEndpoint? known, int hits, Duration watched)
    {
        public BlockingSite Site => site;

        /// <summary>
        /// The site's share of the endpoint's blocked time. The hook timed every wait of the requests it watched, so that share is used,
        /// unless the windows' hits contradict it.
        /// </summary>
        public double Ratio =>
            IsTimed && watched > Duration.Zero && _timed.RatioTo(watched) is var timed && IsWithinNoise(timed) ? timed : seen;

        public int Hits => hits;

        public bool IsTimed => _timed > Duration.Zero;

        public Duration Windowed { get; } = known is null ? Duration.Zero : Counter.Read(ref known.Windowed);

        // An endpoint doesn't count a site's allowed time as blocked, except for time that a window added.
        public Duration Has => known is null ? Duration.Zero : site.Allowed is null ? _blocked : Windowed;

        private readonly Duration _timed = known is null ? Duration.Zero : Counter.Read(ref known.Timed);

        private readonly Duration _blocked = known is null ? Duration.Zero : Counter.Read(ref known.Blocked);

        public Duration Wants(Duration all) => ((Ratio * all) - Has).OrZero();

        private bool IsWithinNoise(double timed) => Math.Abs(timed - seen) * Math.Sqrt(hits) <= MostNoise * seen;
    }
}
