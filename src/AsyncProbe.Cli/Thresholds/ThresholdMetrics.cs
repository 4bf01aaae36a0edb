using System.Globalization;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Thresholds;

/// <summary>The names that thresholds may use, and where each figure comes from.</summary>
internal static class ThresholdMetrics
{
    /// <summary>The one metric that needs a baseline.</summary>
    public const string NewSites = "sites.new";

    /// <summary>Any percentile. The parser reads metrics in lower case, so no user can type this name.</summary>
    public const string Percentile = "p(N)";

    private static readonly Dictionary<string, Func<Figures, double, double?>> Client = new(StringComparer.Ordinal)
    {
        [Percentile] = (figures, percent) => At(figures.TimeMs, percent),
        ["min"] = (figures, _) => figures.TimeMs?.MinMs,
        ["avg"] = (figures, _) => figures.TimeMs?.MeanMs,
        ["med"] = (figures, _) => figures.TimeMs?.P50Ms,
        ["max"] = (figures, _) => figures.TimeMs?.MaxMs,
        ["dev"] = (figures, _) => figures.TimeMs?.StandardDeviationMs,
        ["fromsend." + Percentile] = (figures, percent) => At(figures.FromSendMs, percent),
        ["fromsend.avg"] = (figures, _) => figures.FromSendMs?.MeanMs,
        ["fromsend.max"] = (figures, _) => figures.FromSendMs?.MaxMs,
        ["rps"] = (figures, _) => figures.Requests == 0 ? null : figures.RequestsPerSecond,
        ["requests"] = (figures, _) => figures.Requests == 0 ? null : figures.Requests,
        ["failed.count"] = (figures, _) => figures.Requests == 0 ? null : figures.Failed,
        ["failed.rate"] = (figures, _) => figures.Requests == 0 ? null : figures.FailedShare,
        ["late.count"] = (figures, _) => figures.Requests == 0 ? null : figures.LateStarts,
        ["late.rate"] = (figures, _) => figures.Requests == 0 ? null : (double)figures.LateStarts / figures.Requests,
    };

    private static readonly Dictionary<string, Func<ServerSide, double?>> Pool = new(StringComparer.Ordinal)
    {
        ["pool.threads.max"] = server => server.PoolThreadsMax,
        ["pool.queuedelay.max"] = server => server.QueueDelayMaxMs,
        ["pool.pending.max"] = server => server.PendingMax,
        ["pool.blockedthreads.max"] = server => server.BlockedThreadsMax,
    };

    private static readonly Dictionary<string, Func<EndpointSide, TimeSums>> Endpoint = new(StringComparer.Ordinal)
    {
        ["held"] = row => row.HeldMs,
        ["cpu"] = row => row.CpuMs,
        ["cpuwait"] = row => row.CpuWaitMs,
        ["gc"] = row => row.GcMs,
        ["blocked"] = row => row.BlockedMs,
    };

    private static readonly Dictionary<double, Func<LatencyStatistics, double>> Saved = new()
    {
        [50] = time => time.P50Ms,
        [75] = time => time.P75Ms,
        [90] = time => time.P90Ms,
        [95] = time => time.P95Ms,
        [99] = time => time.P99Ms,
        [99.9] = time => time.P999Ms,
    };

    /// <summary>The percentiles that a saved run has.</summary>
    public static IReadOnlyCollection<double> SavedPercentiles => Saved.Keys;

    public static IEnumerable<string> OfServers =>
        [.. Endpoint.Keys.SelectMany(name => new[] { name + ".avg", name + ".max", name + ".total" }), .. Pool.Keys, NewSites];

    public static IEnumerable<string> All =>
        [.. Client.Keys, "unanswered", .. OfServers];

    public static bool IsKnown(string metric) => Client.ContainsKey(metric) || metric == "unanswered" || IsServer(metric);

    public static bool IsAboutFailures(string metric) => metric is "failed.count" or "failed.rate";

    public static bool IsServer(string metric) => metric == NewSites || Pool.ContainsKey(metric) || IsEndpoint(metric);

    public static string? Unit(string metric) => metric switch
    {
        "failed.rate" or "late.rate" => null,
        "rps" => "a second",
        "requests" or "failed.count" or "late.count" or "unanswered" => "requests",
        "pool.threads.max" or "pool.blockedthreads.max" => "threads",
        "pool.pending.max" => "work items",
        NewSites => "new",
        _ => "ms",
    };

    public static double? Value(RunResult run, Threshold threshold)
    {
        if (threshold.Metric == "unanswered")
        {
            return run.Unanswered;
        }

        return IsServer(threshold.Metric)
            ? Value([run.Server], threshold)
            : FiguresFor(run, threshold.Name) is { } figures ? Client[threshold.Metric](figures, threshold.Percent ?? 0) : null;
    }

    /// <summary>
    /// The value of a server metric over several servers: the mean of all their requests, the worst of their pools, or all their new sites.
    /// </summary>
    public static double? Value(IReadOnlyList<ServerSide> servers, Threshold threshold) => threshold.Metric == NewSites
        ? CountNewSites(servers, threshold.Name)
        : Pool.TryGetValue(threshold.Metric, out var pool)
            ? servers.Max(pool)
            : EndpointValue(servers, threshold);

    /// <summary>Whether the run has the request or the endpoint that the threshold names; a run without a report may have it.</summary>
    public static bool HasNamed(RunResult run, Threshold threshold) => threshold.Name is null
        || (!threshold.NeedsServer ? FiguresFor(run, threshold.Name) is not null
            : !IsEndpoint(threshold.Metric) || run.Server.Status != ServerStatus.Joined
                || run.Server.Endpoints.Any(row => IsNamed(row, threshold.Name)));

    /// <summary>What readers need to know before they trust the figure.</summary>
    public static string? Note(RunResult run, Threshold threshold)
    {
        if (threshold.NeedsServer)
        {
            return run.Server.Status != ServerStatus.Joined ? null
                : !run.Server.EndAnswered ? "until the server's last answer"
                : run.Server.CountsHoldWarmup ? "the warm-up included"
                : run.Server.CountsBeginLate ? string.Create(
                    CultureInfo.InvariantCulture, $"without the first {run.Server.CountsBeginAfterMs / 1000:0.0} s")
                : null;
        }

        var figures = FiguresFor(run, threshold.Name);
        var time = threshold.Metric.StartsWith("fromsend", StringComparison.Ordinal) ? figures?.FromSendMs : figures?.TimeMs;
        return threshold.Percent is { } percent && time?.IsLowSample(percent) == true ? "fewer than ten requests were slower" : null;
    }

    private static bool IsEndpoint(string metric) =>
        metric.Split('.') is [var kind, "avg" or "max" or "total"] && Endpoint.ContainsKey(kind);

    private static Figures? FiguresFor(RunResult run, string? name) => name is null
        ? run.Total
        : run.Requests.FirstOrDefault(request => request.Name.Equals(name, StringComparison.OrdinalIgnoreCase))?.Figures;

    /// <summary>Null when any server didn't report its sites, because they could be new.</summary>
    private static double? CountNewSites(IReadOnlyList<ServerSide> servers, string? endpoint) =>
        servers.Count == 0 || servers.Any(server => server.NewSites is null)
        ? null
        : servers.SelectMany(server => server.NewSites!)
            .Where(site => endpoint is null || site.Endpoints.Contains(endpoint, StringComparer.OrdinalIgnoreCase))
            .Select(site => (site.Kind, site.Method)).Distinct().Count();

    /// <summary>The value for the endpoint with that name; without a name, for all endpoints of the run, weighted by requests.</summary>
    private static double? EndpointValue(IReadOnlyList<ServerSide> servers, Threshold threshold)
    {
        var rows = servers.SelectMany(server => server.Endpoints).Where(row => threshold.Name is null || IsNamed(row, threshold.Name));
        var parts = threshold.Metric.Split('.');
        var sums = rows.Select(row => (row.Requests, Time: Endpoint[parts[0]](row))).Where(row => row.Time.Total is not null).ToList();
        if (sums.Count == 0)
        {
            return null;
        }

        var requests = sums.Sum(row => row.Requests);
        return parts[1] switch
        {
            "max" => sums.Max(row => row.Time.Max),
            "total" => sums.Sum(row => row.Time.Total),
            _ => requests == 0 ? null : sums.Sum(row => row.Time.Total) / requests,
        };
    }

    private static bool IsNamed(EndpointSide row, string name) => row.Endpoint.Equals(name, StringComparison.OrdinalIgnoreCase);

    private static double? At(LatencyStatistics? time, double percent) => time switch
    {
        null => null,
        { Distribution: { } distribution } => Math.Round(distribution.Percentile(percent) / 1e6, 3),
        _ => Saved.GetValueOrDefault(percent)?.Invoke(time),
    };
}
