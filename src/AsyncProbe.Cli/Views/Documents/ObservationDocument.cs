using AsyncProbe.Cli.Observation;

namespace AsyncProbe.Cli.Views.Documents;

/// <summary>What the replicas did: findings first, then the endpoints, the lines, and the replicas.</summary>
internal static class ObservationDocument
{
    /// <summary>The rows of a table in the terminal.</summary>
    public const int MostRows = 15;

    private const int MostBars = 20;

    /// <param name="rows">How many rows of a table the terminal shows at most.</param>
    public static ReportDocument Create(ObservationResult result, int rows = MostRows) => new(
        ObservationText.Heading(result),
        [
            new SentencesPart(SentenceStyle.Strong, ObservationText.Heading(result)) { For = PartMedium.Terminal },
            SentencesPart.Begun(result.StartedAt, result.Interrupted),
            new SentencesPart(SentenceStyle.Warning, [.. ObservationText.Warnings(result)]) { Place = PartPlace.Judgement, Most = rows },
            .. result.Observed > 0 ? Tables(result, rows) : Tables(result, rows).Select(part => part with { For = PartMedium.Files }),
            new SentencesPart(
                SentenceStyle.Quiet,
                result.Observed > 0 && result.Replicas.Count > rows
                    ? [$"{result.Replicas.Count - rows} more replicas, with shorter queue delays: all are in -o report.html."]
                    : [])
            {
                For = PartMedium.Terminal,
                IsExplanation = true,
            },
            new ThresholdsPart(null, result.Thresholds) { Place = PartPlace.Judgement },
        ]);

    private static IEnumerable<DocumentPart> Tables(ObservationResult result, int rows)
    {
        // The worst first: if there are many replicas, the others are much alike.
        var replicas = result.Replicas.OrderBy(replica => replica.IsObserved)
            .ThenByDescending(replica => replica.Server.QueueDelayMaxMs ?? 0);
        return
        [
            new HeldBarsPart("Endpoints", [.. result.Endpoints.Take(MostBars).Select(Bar)]),
            new TablePart(null, ObservationText.EndpointColumns, [.. result.Endpoints.Select(ObservationText.Row)])
            {
                StartsBlock = true,
                Most = rows,
            },
            new SentencesPart(
                SentenceStyle.Quiet, result.Endpoints.Count == 0 ? ["The servers counted no request in this time."] : [])
            {
                StartsBlock = true,
            },
            new SentencesPart(SentenceStyle.Quiet, [.. ObservationText.EndpointLegend(result)]) { IsExplanation = true },
            new TablePart("Lines", ObservationText.SiteColumns, [.. result.Sites.Select(ObservationText.Row)])
            {
                StartsBlock = true,
                Most = rows,
            },
            new SentencesPart(SentenceStyle.Quiet, [.. ObservationText.SiteLegend(result)]) { IsExplanation = true },
            new TablePart("Replicas", ObservationText.ReplicaColumns, [.. replicas.Select(ObservationText.Row)])
            {
                StartsBlock = true,
                Most = rows,
            },
        ];
    }

    private static HeldBar Bar(FleetEndpoint row) =>
        new(row.Endpoint, row.HeldMs.Mean, row.CpuMs.Mean, row.CpuWaitMs.Mean, row.GcMs.Mean, row.BlockedMs.Mean);
}
