using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Finds endpoints whose blocked time no call site explains, and gives that time to the sites that windows have seen. Both the watcher and
/// the window's thread use it.
/// </summary>
internal sealed class UnexplainedTime(EndpointTable endpoints, BlockingSites sites)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<EndpointTotals, EndpointSampling> _all = [];
    private int _generation;

    /// <summary>Updates the account of each endpoint, once a second.</summary>
    /// <returns>Whether a window is due.</returns>
    public bool Update(Timestamp now)
    {
        lock (_lock)
        {
            if (_generation != sites.Generation)
            {
                // The counts were reset.
                _all.Clear();
                _generation = sites.Generation;
            }

            // In most seconds nothing changes for most endpoints, and going through hundreds of sites is expensive.
            var isDue = false;
            Dictionary<string, KnownTime>? known = null;
            foreach (var totals in endpoints.All)
            {
                if (FindUnsettled(totals, now) is var (sampling, blocked))
                {
                    isDue |= Update(totals, sampling, blocked, (known ??= Known()).GetValueOrDefault(totals.Endpoint), now);
                }
            }

            return isDue;
        }
    }

    /// <summary>The endpoints that need a window now.</summary>
    public HashSet<EndpointTotals> Begin(Timestamp now)
    {
        lock (_lock)
        {
            HashSet<EndpointTotals> due = [.. _all.Where(e => e.Value.IsDue(IsLearning(e.Key), now)).Select(e => e.Key)];
            foreach (var totals in due)
            {
                _all[totals].Begin(now);
            }

            return due;
        }
    }

    public void End(HashSet<EndpointTotals> due, IReadOnlyList<WindowHit> hits, Timestamp now)
    {
        lock (_lock)
        {
            if (_generation != sites.Generation)
            {
                return;
            }

            foreach (var hit in hits)
            {
                if (_all.TryGetValue(hit.Totals, out var sampling))
                {
                    Take(hit, sampling);
                }
            }

            foreach (var totals in due)
            {
                _all.GetValueOrDefault(totals)?.End(hits.Any(hit => hit.Totals == totals && IsNews(hit)), now);
            }
        }
    }

    private static void Take(WindowHit hit, EndpointSampling sampling)
    {
        if (hit.Site is not { } site)
        {
            sampling.HitNowhere(hit.Length);
            hit.Totals.Waits?.AddUnplacedHit();
            return;
        }

        sampling.Hit(site, hit.Length, hit.IsTimed);
        if (!hit.IsTimed)
        {
            site.AddFromWindow(hit.Length, hit.Totals.Endpoint, hit.Stack, hit.IsCold);
        }
    }

    // Waits without a place are news until there are enough of them to say that they are the runtime's.
    private static bool IsNews(WindowHit hit) =>
        hit.Site is null ? hit.Totals.Waits is { UnplacedHits: < Evidence.HitsForMost } : !hit.IsTimed;

    // While an endpoint's sites are being learned, we can't tell yet whether it needs a window.
    private static bool IsLearning(EndpointTotals totals) => totals.Waits is { IsLearning: true };

    private (EndpointSampling Sampling, Duration Blocked)? FindUnsettled(EndpointTotals totals, Timestamp now)
    {
        var blocked = totals.AllowReason is null ? totals.Counts.SumBlocked() : Duration.Zero;
        if (!_all.TryGetValue(totals, out var sampling))
        {
            return blocked == Duration.Zero ? null : (_all[totals] = new EndpointSampling(), blocked);
        }

        if (!sampling.IsSettled(blocked))
        {
            return (sampling, blocked);
        }

        sampling.Rest(now);
        return null;
    }

    private bool Update(
        EndpointTotals totals, EndpointSampling sampling, Duration blocked, KnownTime known, Timestamp now)
    {
        // A collection stops threads anywhere, and a provider's own waits are measured without a place. Neither belongs to a site.
        var (inGc, inProvider) = totals.Counts.SumPlaceless();
        var unknown = blocked - inGc - known.All;
        var explained = totals.Waits?.Explained ?? 0;
        if (explained >= EndpointWaits.EnoughExplained && !sampling.CanShare)
        {
            sampling.Forgo(unknown);
        }

        var withoutPlace = unknown - (inProvider - known.Provider).OrZero();
        sampling.Update(withoutPlace + known.Windowed, blocked - inGc, explained, now);
        var left = (withoutPlace - sampling.Forgone).OrZero();
        if (sampling.CanShare && left > Duration.Zero)
        {
            var watched = totals.Waits?.Watched ?? Duration.Zero;
            var time = new BlockedTime(totals.Endpoint, left, watched, (blocked - watched).OrZero());

            // In a row that collects requests which have nothing in common, the hook may have watched others than those of this time.
            foreach (var (site, part) in sampling.Share(totals.IsMixed ? [] : sites.All, time))
            {
                site.AddShare(part, totals.Endpoint);
            }
        }

        sampling.Settle(blocked);
        return sampling.IsDue(IsLearning(totals), now);
    }

    // The time that sites have of each endpoint. An endpoint doesn't count a site's allowed time as blocked, except for time that a window
    // added.
    private Dictionary<string, KnownTime> Known()
    {
        Dictionary<string, KnownTime> known = new(StringComparer.Ordinal);
        foreach (var site in sites.All)
        {
            foreach (var (endpoint, row) in site.Endpoints)
            {
                var sum = known.GetValueOrDefault(endpoint);
                var windowed = Counter.Read(ref row.Windowed);
                var all = site.Allowed is null ? Counter.Read(ref row.Blocked) : windowed;
                known[endpoint] = new KnownTime(
                    sum.All + all, sum.Windowed + windowed, sum.Provider + (site.Provider is { IsDatabase: true } ? all : Duration.Zero));
            }
        }

        return known;
    }

    /// <summary>The time that the sites have of one endpoint.</summary>
    /// <param name="All">All of that time.</param>
    /// <param name="Windowed">The time that windows saw, and the time shared out in proportion to it.</param>
    /// <param name="Provider">The part spent in a database provider that is synchronous inside.</param>
    private readonly record struct KnownTime(Duration All, Duration Windowed, Duration Provider);
}
