using AsyncProbe.Blocking.Kinds;
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
    /// <param name="sites">All sites. The hook may have timed some that the windows missed.</param>
    /// <param name="of">The endpoint, and its time to divide.</param>
    /// <returns>
    /// The time to add to each site, so that the places' totals match the ratio of what was seen. A place that the hook timed already has
    /// all its time from the watched requests, so it gets only its part of the unwatched ones. If the hook timed every place, the rest is
    /// left over. A place with few hits gets nothing. Its part stays unassigned, and so does the part of time without a place.
    /// </returns>
    public static List<(BlockingSite Site, Duration Part)> Divide(
        IReadOnlyDictionary<BlockingSite, SeenTime> seen, Duration nowhere, IEnumerable<BlockingSite> sites, BlockedTime of)
    {
        var length = Sum(seen.Values.Select(s => s.Length)) + nowhere;
        if (length == Duration.Zero)
        {
            return [];
        }

        var allHits = seen.Values.Sum(s => s.Hits);
        var rows = seen.Keys.Union(sites.Where(site => IsTimedByHook(site, of.Endpoint))).GroupBy(ReportedPlace.Of)
            .Select(place => new Row([.. place], seen, length, allHits, of)).ToList();
        var (blocked, placeless) = (of.Unknown, Fit(rows, nowhere.RatioTo(length)));
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
            var part = Duration.Min(row.Wants(all).RatioTo(wanted) * blocked, ((row.Ratio * of.Unwatched) - row.Windowed).OrZero());
            parts.Add((row.Site, part));
            left -= part;
        }

        // The other places may already have their part. They also get what the hook's places must not take.
        var others = rows.Where(r => !r.IsTimed).ToList();
        var theirs = Sum(others.Select(r => r.Wants(all))) + (placeless * all);
        var ratios = others.Sum(r => r.Ratio) + placeless;
        parts.AddRange(others.Where(r => r.Hits >= Evidence.HitsForAShare).Select(
            r => (r.Site, (theirs > Duration.Zero ? r.Wants(all).RatioTo(theirs) : r.Ratio / ratios) * left)));
        return [.. parts.Where(p => p.Part > Duration.Zero)];
    }

    // Gives the other places, and the time without a place, what the hook's places leave. Returns the share of the time without a place.
    private static double Fit(List<Row> rows, double placeless)
    {
        var seen = rows.Where(r => !r.IsTimed).Sum(r => r.Ratio) + placeless;
        var scale = seen <= 0 ? 0 : Math.Max(0, 1 - rows.Where(r => r.IsTimed).Sum(r => r.Ratio)) / seen;
        rows.ForEach(r => r.Ratio *= r.IsTimed ? 1 : scale);
        return placeless * scale;
    }

    // EF Core's commands are timed in all requests, so their share of the watched ones is unknown.
    private static bool IsTimedByHook(BlockingSite site, string endpoint) =>
        site is { StackKind: not WaitKind.EfCore, Allowed: null }
            && site.Find(endpoint) is { } row && Counter.Read(ref row.Timed) > Duration.Zero;

    private static Duration Sum(IEnumerable<Duration> parts) => parts.Aggregate(Duration.Zero, (sum, part) => sum + part);

    /// <summary>A place as a reader sees it. It may be several sites, because optimised code has other offsets.</summary>
    private sealed class Row
    {
        public Row(
            IReadOnlyList<BlockingSite> sites, IReadOnlyDictionary<BlockingSite, SeenTime> seen, Duration length, int allHits,
            BlockedTime of)
        {
            Site = sites.MaxBy(site => seen.GetValueOrDefault(site).Length)!;
            Hits = sites.Sum(site => seen.GetValueOrDefault(site).Hits);
            var timed = Duration.Zero;
            foreach (var site in sites)
            {
                if (site.Find(of.Endpoint) is { } known)
                {
                    var windowed = Counter.Read(ref known.Windowed);
                    timed += Counter.Read(ref known.Timed);
                    Windowed += windowed;

                    // An endpoint doesn't count a site's allowed time as blocked, except for time that a window added.
                    Has += site.Allowed is null ? Counter.Read(ref known.Blocked) : windowed;
                }
            }

            IsTimed = timed > Duration.Zero;
            Ratio = RatioOf(Sum(sites.Select(site => seen.GetValueOrDefault(site).Length)).RatioTo(length), timed, allHits, of.Watched);
        }

        public BlockingSite Site { get; }

        public int Hits { get; }

        public bool IsTimed { get; }

        public Duration Windowed { get; }

        public Duration Has { get; }

        /// <summary>The place's share of the endpoint's blocked time.</summary>
        public double Ratio { get; set; }

        public Duration Wants(Duration all) => ((Ratio * all) - Has).OrZero();

        // The hook timed every wait of the requests it watched, so its share is used, unless the windows' hits contradict it.
        private static double RatioOf(double seen, Duration timed, int hits, Duration watched)
        {
            if (timed <= Duration.Zero || watched <= Duration.Zero)
            {
                return seen;
            }

            var hooked = Math.Min(1, timed.RatioTo(watched));
            var deviation = Math.Sqrt(Math.Max(hooked, seen) * (1 - Math.Min(hooked, seen)));
            return Math.Abs(hooked - seen) * Math.Sqrt(hits) <= MostNoise * deviation ? hooked : seen;
        }
    }
}
