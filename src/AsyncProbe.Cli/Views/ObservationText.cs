using System.Globalization;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>An observation's rows and sentences, the same in every view.</summary>
internal static class ObservationText
{
    public const string EndpointColumn = "ms a request";

    public static IReadOnlyList<TextColumn> ReplicaColumns { get; } =
    [
        new("replica"), new("req/s", 2), new("max threads", 5), new("max blocked", 4, "most threads blocked at a time"),
        new("max queue delay, ms", 0, "the longest wait for a pool thread"), new("state", 1, IsText: true),
    ];

    public static IReadOnlyList<TextColumn> EndpointColumns { get; } =
    [
        new(EndpointColumn), new("replicas", 6), new("req/s", 3), ServerColumns.Held, ServerColumns.Cpu, ServerColumns.CpuWait,
        ServerColumns.Gc,
        ServerColumns.Blocked, new("threads", 1, "blocked by it at any moment, on average over all replicas"), ServerColumns.Verdict,
    ];

    public static IReadOnlyList<TextColumn> SiteColumns { get; } =
    [
        new("blocked at"), new("kind", 3, IsText: true), new("times", 2), new("ms each", 0),
        new("threads", 1, "blocked there at any moment, on average"), new("replicas", 4),
    ];

    public static string Heading(ObservationResult result)
    {
        var missing = result.Replicas.Count - result.Observed;
        var left = missing == 0
            ? ""
            : $"; {FigureText.Number(missing)} of {FigureText.Number(result.Replicas.Count)} could not be observed";
        return string.Create(
            CultureInfo.InvariantCulture, $"{FigureText.Count(result.Observed, "replica")} observed for {result.Seconds:0.#} s{left}");
    }

    public static string[] Row(ReplicaSide replica) => replica.IsObserved
        ?
        [
            replica.Name, FigureText.Rate(replica.RequestsPerSecond), FigureText.Whole(replica.Server.PoolThreadsMax),
            FigureText.Whole(replica.Server.BlockedThreadsMax),
            FigureText.Ms(replica.Server.QueueDelayMaxMs), State(replica.Server),
        ]
        : [replica.Name, "", "", "", "", "not observed"];

    public static string[] Row(FleetEndpoint row) =>
    [
        row.Endpoint, FigureText.Number(row.Replicas), FigureText.Rate(row.RequestsPerSecond), FigureText.Ms(row.HeldMs.Mean),
        FigureText.Ms(row.CpuMs.Mean),
        FigureText.Ms(row.CpuWaitMs.Mean), FigureText.Ms(row.GcMs.Mean), FigureText.Ms(row.BlockedMs.Mean), Threads(row.BlockedThreads),
        ServerText.Verdict(row.Verdict),
    ];

    public static string[] Row(FleetSite site) =>
    [
        site.At + (site.Via is null ? "" : $" via {site.Via}") + (site.Allowed is null ? "" : $" (allowed: {site.Allowed})"), site.Kind,
        ServerText.Times(site.Count, site.Sampled, site.Partial), FigureText.Ms(site.BlockedMs.Mean),
        Threads(site.BlockedThreads),
        FigureText.Number(site.Replicas),
    ];

    /// <summary>What readers need to know before they trust the figures.</summary>
    public static IEnumerable<string> Warnings(ObservationResult result) => Problems(result).Concat(result.Findings).Concat(Odd(result));

    /// <summary>Explains what the endpoint table itself doesn't say.</summary>
    public static IEnumerable<string> EndpointLegend(ObservationResult result) =>
        result.Endpoints.Any(row => ServerText.LacksCpuWait(row.CpuWaitMs, row.BlockedMs)) ? [ServerText.NoCpuWaitLegend] : [];

    /// <summary>Explains what the table of lines itself doesn't say.</summary>
    public static IEnumerable<string> SiteLegend(ObservationResult result)
    {
        // There are means for each request and means for each wait.
        if (result.Endpoints.Any(row => row.BlockedMs.Mean is not null) && result.Sites.Any(site => site.BlockedMs.Mean is not null))
        {
            yield return ServerText.LineMeansLegend;
        }

        if (result.Sites.Any(site => site.Sampled))
        {
            yield return ServerText.SamplesLegend;
        }

        if (result.Sites.Any(site => site is { Partial: true, Sampled: false }))
        {
            yield return ServerText.PartialLegend;
        }
    }

    /// <summary>Names replicas that are far from the others, and where.</summary>
    private static IEnumerable<string> Odd(ObservationResult result) =>
    [
        .. result.Endpoints.Where(row => row.Odd is not null).Select(row =>
            $"{row.Odd!.Replica} is the odd one out at {row.Endpoint}: {FigureText.Ms(row.Odd.Value)} ms a request, the "
                + $"others {FigureText.Ms(row.Odd.Others)} ms."),
        .. result.Sites.Where(site => site.Odd is not null).Select(site =>
            $"{site.Odd!.Replica} blocks the most at {site.At}: {Threads(site.Odd.Value)} threads on average, the "
                + $"others {Threads(site.Odd.Others)}."),
    ];

    private static IEnumerable<string> Problems(ObservationResult result) =>
        result.Replicas.Where(replica => replica.Problem is { Length: > 0 }).Select(replica => replica.Problem!);

    private static string State(ServerSide server) =>
        (server.State ?? "?") + (server.WorstState is not null && server.WorstState != server.State ? $", was {server.WorstState}" : "");

    private static string Threads(double? value) => value?.ToString("0.00", CultureInfo.InvariantCulture) ?? FigureText.NotAvailable;
}
