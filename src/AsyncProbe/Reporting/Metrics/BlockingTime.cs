using System.Diagnostics;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>
/// Blocked time by line and endpoint, for the meter and the Prometheus text. It's computed from the call sites on demand, so metrics that
/// no one reads cost nothing. A call site may block a hundred endpoints, so there are at most <c>MaxSites</c> series; the rest is counted
/// in one more.
/// </summary>
internal sealed class BlockingTime(BlockingSites sites, EndpointTable endpoints, int maxSites)
{
    private static readonly Key s_other = new(WaitKind.Other.Name(), RowNames.Other, RowNames.Other, null, false);

    private readonly Lock _lock = new();
    private readonly Dictionary<SiteEndpoint, (BlockingSeries Series, Duration Taken)> _taken = [];
    private readonly Dictionary<Key, BlockingSeries> _byKey = [];
    private List<BlockingSeries> _series = [];

    // The series from before a reset, kept until the meter has received all of their time.
    private List<BlockingSeries> _ended = [];

    /// <summary>All series, oldest first.</summary>
    public IReadOnlyList<BlockingSeries> Read()
    {
        lock (_lock)
        {
            Take();
            return [.. _series];
        }
    }

    /// <summary>
    /// Takes the time that hasn't been passed to the meter. The watcher calls this and must not wait while another thread looks up files
    /// and lines. In that case it gets nothing, and takes the time on its next call.
    /// </summary>
    public List<(BlockingSeries Series, Duration More)> TakeUnrecorded()
    {
        List<(BlockingSeries, Duration)> found = [];
        if (!_lock.TryEnter())
        {
            return found;
        }

        try
        {
            Take();
            foreach (var series in _ended.Concat(_series))
            {
                var more = series.Total - series.Recorded;
                if (more > Duration.Zero)
                {
                    series.Recorded += more;
                    found.Add((series, more));
                }
            }

            _ended = [];
            return found;
        }
        finally
        {
            _lock.Exit();
        }
    }

    /// <summary>
    /// Resets the series. The meter's counters never go down, as OpenTelemetry requires. Those in the Prometheus text do, and Prometheus
    /// expects that.
    /// </summary>
    /// <param name="isRecorded">Whether the meter has a listener, which then still receives the time counted so far.</param>
    /// <param name="resetSites">Resets the call sites. Runs right after their last time was taken.</param>
    public void Reset(bool isRecorded, Action resetSites)
    {
        lock (_lock)
        {
            Take();
            resetSites();
            _ended = isRecorded ? [.. _ended, .. _series] : [];
            _taken.Clear();
            _byKey.Clear();
            _series = [];
        }
    }

    private void Take()
    {
        foreach (var site in sites.Read())
        {
            foreach (var (endpoint, row) in site.Endpoints)
            {
                var blocked = Counter.Read(ref row.Blocked);
                var known = _taken.GetValueOrDefault(row);
                if (blocked > known.Taken)
                {
                    var series = known.Series ?? GetOrAdd(site, endpoint);
                    series.Add(blocked - known.Taken);
                    _taken[row] = (series, blocked);
                }
            }
        }
    }

    // One source line may be several places in the compiled method, and different ones once it's optimised.
    private BlockingSeries GetOrAdd(BlockingSite site, string endpoint)
    {
        var key = new Key(
            site.Kind.Name(), endpoint, site.At?.Frame.FullName ?? RowNames.Other, site.At?.Line?.Line, site.Allowed is not null);
        if (_byKey.TryGetValue(key, out var known))
        {
            return known;
        }

        // The overflow series comes on top of MaxSites.
        return _byKey.Count < maxSites ? _byKey[key] = Add(key) : _byKey.TryGetValue(s_other, out var other)
            ? other
            : _byKey[s_other] = Add(s_other);
    }

    private BlockingSeries Add(Key key)
    {
        var tags = default(TagList);
        tags.Add(WaitTags.Kind, key.Kind);
        MetricTags.AddEndpoint(ref tags, key.Endpoint, endpoints);
        tags.Add(WaitTags.Method, key.Method);
        if (key.Line is { } line)
        {
            tags.Add(MetricTags.Line, line);
        }

        if (key.IsAllowed)
        {
            tags.Add(MetricTags.Allowed, true);
        }

        var series = new BlockingSeries(tags);
        _series.Add(series);
        return series;
    }

    private readonly record struct Key(string Kind, string Endpoint, string Method, int? Line, bool IsAllowed);
}
