using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Documents;

/// <summary>The server's half of a run.</summary>
internal static class ServerDocument
{
    private const int MostEndpoints = 10;
    private const int MostSites = 20;

    private static readonly TextColumn[] s_columns =
    [
        new("ms a request"), new("requests", 4), ServerColumns.Held, ServerColumns.Cpu, ServerColumns.CpuWait, ServerColumns.Gc,
        ServerColumns.Blocked, ServerColumns.Ceiling, new("reached/s", 5, "in this run"), ServerColumns.IfAsync, ServerColumns.Verdict,
    ];

    private static readonly TextColumn[] s_siteColumns =
    [
        new("blocked at"), new("kind", IsText: true), new("times"), new("ms each"), new("ms total"), new("endpoints", IsText: true),
    ];

    /// <param name="hasClientMeans">Whether the client has times.</param>
    public static IEnumerable<DocumentPart> Parts(ServerSide server, bool hasClientMeans)
    {
        if (server.Status != ServerStatus.Joined)
        {
            return [new SentencesPart(SentenceStyle.Quiet, ServerText.Absence(server)) { StartsBlock = true }];
        }

        var first = server.Endpoints.Take(MostEndpoints).ToList();
        var sites = server.Sites.Take(MostSites).ToList();
        return
        [
            new SentencesPart(SentenceStyle.Plain, $"Server: {ServerText.Pool(server)}") { StartsBlock = true },
            new HeldBarsPart("Endpoints", [.. server.Endpoints.Select(Bar)]),
            new TablePart(null, s_columns, [.. server.Endpoints.Select(Row)]) { Most = MostEndpoints },
            new SentencesPart(
                SentenceStyle.Detail, server.Endpoints.Count == 0 ? ["The server counted no request in this time."] : []),
            Legend(ServerText.ClientMeansLegend, hasClientMeans && first.Exists(row => row.HeldMs.Mean is not null)) with
            {
                Explains = FiguresRow.Mean,
            },
            Legend(ServerText.CollectingLegend, first.Exists(row => ServerText.IsCollecting(ServerText.Verdict(row)))),
            Legend(ServerText.NoCpuWaitLegend, server.Endpoints.Any(row => ServerText.LacksCpuWait(row.CpuWaitMs, row.BlockedMs))),
            .. server.Endpoints.SelectMany((row, i) => Sentences(row).Select(part => part with
            {
                For = i < MostEndpoints ? PartMedium.All : PartMedium.Files,
            })),
            new TablePart("Lines", s_siteColumns, [.. sites.Select(Row)]) { For = PartMedium.Files },
            new SentencesPart(SentenceStyle.Quiet, [.. ServerText.Legend(sites)]) { For = PartMedium.Files },
            new SentencesPart(SentenceStyle.Warning, server.Findings) { Place = PartPlace.Judgement },
        ];
    }

    private static SentencesPart Legend(string sentence, bool isNeeded) =>
        new(SentenceStyle.Quiet, isNeeded ? [sentence] : []) { IsExplanation = true };

    private static IEnumerable<SentencesPart> Sentences(EndpointSide row)
    {
        if (WorstSiteText.NeedsPlace(row))
        {
            yield return new(SentenceStyle.Detail, $"{row.Endpoint} blocked at {WorstSiteText.Where(row)}");
        }

        if (row.FromCache > 0)
        {
            yield return new(
                SentenceStyle.Detail,
                $"{row.Endpoint}: {FigureText.Number(row.Requests - row.FromCache)} of {FigureText.Count(row.Requests, "request")} reached "
                    + "the method, the cache answered the rest");
        }

        if (row.Advice is { Length: > 0 })
        {
            yield return new(SentenceStyle.Advice, $"{row.Endpoint}: {row.Advice}");
        }
    }

    private static HeldBar Bar(EndpointSide row) =>
        new(row.Endpoint, row.HeldMs.Mean, row.CpuMs.Mean, row.CpuWaitMs.Mean, row.GcMs.Mean, row.BlockedMs.Mean);

    private static string[] Row(EndpointSide row) =>
    [
        row.Endpoint, FigureText.Number(row.Requests), FigureText.Ms(row.HeldMs.Mean), FigureText.Ms(row.CpuMs.Mean),
        FigureText.Ms(row.CpuWaitMs.Mean), FigureText.Ms(row.GcMs.Mean), FigureText.Ms(row.BlockedMs.Mean),
        FigureText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh), FigureText.Rate(row.ReachedPerSecond),
        FigureText.Range(row.CeilingPerSecond?.IfAsyncLow, row.CeilingPerSecond?.IfAsyncHigh), ServerText.Verdict(row),
    ];

    private static string[] Row(SiteSide site) =>
    [
        site.At + (site.Via is null ? "" : $" via {site.Via}"), site.Kind + (site.Allowed is null ? "" : $", allowed: {site.Allowed}"),
        ServerText.Times(site), FigureText.Ms(site.BlockedMs.Mean), FigureText.Ms(site.BlockedMs.Total), string.Join(", ", site.Endpoints),
    ];
}
