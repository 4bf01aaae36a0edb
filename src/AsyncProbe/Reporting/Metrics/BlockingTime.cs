using System.Diagnostics;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>
/// Blocked time by line and endpoint: what the meter counts and what the text shows. Taken from the call sites when somebody asks, so that
/// nobody pays for metrics that nobody reads. At most <c>MaxSites</c> series: a call site may block a hundred endpoints, and what finds no
/// series of its own is counted in one.
/// </summary>
internal sealed class BlockingTime(BlockingSites sites, EndpointTable endpoints, int maxSites)
{
    private static readonly Key s_other = new(WaitKind.Other.Name(), EndpointName.Overflow, EndpointName.Overflow, null, false);

    private readonly Lock _lock = new();
    private readonly Dictionary<SiteEndpoint, (BlockingSeries Series, Duration Taken)> _taken = [];
    private readonly Dictionary<Key, BlockingSeries> _byKey = [];
    private List<BlockingSeries> _series = [];

    // Of before the counts started anew, until the meter has got all of it.
    private List<BlockingSeries> _ended = [];

    /// <summary>All series, in the order in which they came.</summary>
    public IReadOnlyList<BlockingSeries> Read()
    {
        lock (_lock)
        {
            Take();
            return [.. _series];
        }
    }

    /// <summary>
    /// What the meter has not got yet. For the watcher, which does not wait while another thread looks files and lines up: it gets it the
    /// next time.
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

    /// <summary>Starts anew, with the call sites.</summary>
    /// <param name="isRecorded">Whether somebody listens to the meter, who still gets what was counted until now.</param>
    public void Reset(bool isRecorded)
    {
        lock (_lock)
        {
            Take();
            sites.Reset();
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

    // One source line may be several places in the compiled method, and in its optimised form others again.
    private BlockingSeries GetOrAdd(BlockingSite site, string endpoint)
    {
        var key = new Key(
            site.Kind.Name(), endpoint, site.At?.Frame.FullName ?? EndpointName.Overflow, site.At?.Line?.Line, site.Allowed is not null);
        if (_byKey.TryGetValue(key, out var known))
        {
            return known;
        }

        // One more than MaxSites: this one.
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
