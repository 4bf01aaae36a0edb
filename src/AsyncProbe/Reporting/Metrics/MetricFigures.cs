using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Clocks;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The source of every metric figure, for both the meter and the Prometheus text.</summary>
internal sealed class MetricFigures(
    EndpointTable endpoints, BlockingTime blockingTime, WaitRecorder waits, PoolMonitor pool, HookStatus hook)
{
    private static readonly WaitKind[] s_kinds = Enum.GetValues<WaitKind>();
    private static readonly PoolCondition[] s_states = Enum.GetValues<PoolCondition>();

    private static readonly string s_version = VersionOf(typeof(MetricFigures).Assembly);

    public BlockingTime BlockingTime => blockingTime;

    /// <summary>The totals of every endpoint and operation.</summary>
    public IEnumerable<EndpointTotals> Endpoints => endpoints.Rows;

    /// <summary>How many waits the hook has seen, by kind, without the kinds it hasn't seen.</summary>
    public IEnumerable<(TagList Tags, long Count)> Calls =>
        from kind in s_kinds
        let count = waits.Count(kind)
        where count > 0
        select (TagsOf(WaitTags.Kind, kind.Name()), count);

    /// <summary>The share of blocked time that call sites account for, for endpoints where a watched request has blocked.</summary>
    public IEnumerable<(EndpointTotals Endpoint, double Share)> Explained =>
        from endpoint in endpoints.Rows
        let share = endpoint.Waits?.Explained
        where share is not null
        select (endpoint, share.Value);

    /// <summary>In seconds; null while the pool isn't watched.</summary>
    public double? QueueDelay => pool.IsWatching ? pool.Latest.QueueDelay.TotalSeconds : null;

    public long? BlockedThreads => pool.IsWatching && ThreadClock.HasCpu ? pool.Live.Blocked : null;

    /// <summary>Read at the same moment as <see cref="BlockedThreads"/>.</summary>
    public long? Threads => pool.IsWatching ? pool.Latest.Threads : null;

    public long? Pending => pool.IsWatching ? pool.Latest.Pending : null;

    /// <summary>1 for the pool's current state and 0 for the others; empty while the pool isn't watched.</summary>
    public IEnumerable<(TagList Tags, long Value)> States
    {
        get
        {
            var now = pool.Verdict.Condition;
            return pool.IsWatching
                ? s_states.Select(state => (TagsOf(MetricTags.State, PoolSentences.Name(state)), state == now ? 1L : 0L))
                : [];
        }
    }

    /// <summary>The version of AsyncProbe, how it detects blocking, and the runtime version.</summary>
    public TagList Build
    {
        get
        {
            var tags = TagsOf(MetricTags.Version, s_version);
            tags.Add(MetricTags.Detection, hook.DetectionName);
            tags.Add(MetricTags.RuntimeVersion, Environment.Version.ToString());
            return tags;
        }
    }

    private static TagList TagsOf(string name, string value)
    {
        var tags = default(TagList);
        tags.Add(name, value);
        return tags;
    }

    // Without the commit, which the compiler may append.
    private static string VersionOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "unknown";
}
