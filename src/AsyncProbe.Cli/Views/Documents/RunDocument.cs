using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Documents;

/// <summary>The summary of a run: the client's figures, the server's figures, then the conclusions from both.</summary>
internal static class RunDocument
{
    private const int MostReasons = 10;

    /// <param name="hasDifferences">Whether the terminal lists what WebSurge would do differently; files always do.</param>
    public static ReportDocument Create(RunResult run, bool hasDifferences = false) => new(
        run.Session,
        [
            new SentencesPart(SentenceStyle.Strong, run.Session) { StartsBlock = true, For = PartMedium.Terminal },
            new SentencesPart(SentenceStyle.Quiet, LoadText.Done(run.Load)) { Place = PartPlace.Head },
            SentencesPart.Begun(run.StartedAt, run.Interrupted),
            new CardsPart(run) { Place = PartPlace.Head },
            new ChartsPart(run),
            .. Client(run),
            .. ServerDocument.Parts(run.Server, hasClientMeans: run.Total.TimeMs is not null),
            new SentencesPart(SentenceStyle.Quiet, Tool(run.Client)) { StartsBlock = true },
            new SentencesPart(SentenceStyle.Warning, [.. run.Warnings.Select(warning => warning.Text)]) { Place = PartPlace.Judgement },
            new ThresholdsPart(null, run.Thresholds) { Place = PartPlace.Judgement },
            new SentencesPart(
                SentenceStyle.Quiet, run.Differences.Count == 0 ? [] : ["Different from WebSurge: " + string.Join(" ", run.Differences)])
                {
                    StartsBlock = true,
                    For = hasDifferences ? PartMedium.All : PartMedium.Files,
                },
        ]);

    private static IEnumerable<DocumentPart> Client(RunResult run)
    {
        var total = run.Total;
        List<string[]> rows = [.. run.Requests.Select(request => FiguresRow.Create(request.Name, request.Figures, request.Figures.TimeMs))];
        if (rows.Count > 1)
        {
            rows.Add(FiguresRow.Create("Total", total, total.TimeMs));
        }

        if (total.FromSendMs is { } fromSend)
        {
            rows.Add(FiguresRow.Create("  from the actual send", null, fromSend));
        }

        if (total.FailedTimeMs is { } failed)
        {
            rows.Add(FiguresRow.Create("  failed requests", null, failed));
        }

        var statuses = string.Join(", ", total.StatusCodes.Select(pair => $"{pair.Key}: {FigureText.Number(pair.Value)}"));
        var sent = total.BytesSent > 0 ? $", sent {FigureText.Bytes(total.BytesSent)}" : "";
        var late = run.Load.PlannedPerSecond is null ? "" : $"; {FigureText.Count(total.LateStarts, "late start")} (more than 2 ms)";
        return
        [
            new TablePart("Client", FiguresRow.Columns, rows) { StartsBlock = true },
            new SentencesPart(SentenceStyle.Quiet, total.TimeMs?.LowSamplePercentiles.Count > 0 ? [FigureText.LowSampleLegend] : []),
            new SentencesPart(
                SentenceStyle.Detail,
                $"status {(statuses.Length == 0 ? "none" : statuses)}; received {FigureText.Bytes(total.BytesReceived)}{sent}{late}"),
            new SentencesPart(
                SentenceStyle.Failure,
                [.. total.FailureReasons.Select(pair => $"failed {FigureText.Number(pair.Value)} × {pair.Key}")])
                {
                    Most = MostReasons,
                },
            new SentencesPart(SentenceStyle.Detail, run.Unanswered > 0 ? [Unanswered(run)] : []),
            new HistogramPart(run.Distribution) { IsExplanation = true },
        ];
    }

    private static string Unanswered(RunResult run) => string.Create(
        CultureInfo.InvariantCulture,
        $"{run.Unanswered:N0} unanswered at the end, the oldest after {run.UnansweredOldestMs / 1000:0.0} s; they are in no figure");

    private static string Tool(ClientFigures client)
    {
        var lag = client.SendLagP99Ms is { } ms ? $", p99 send lag {FigureText.Ms(ms)} ms" : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"This tool: {FigureText.Percent(client.CpuShare)} of all cores, {FigureText.Percent(client.GcPauseShare)} in GC pauses{lag}, "
                + $"{client.InFlightByLittle:0.#} requests in flight (Little's law), max memory {FigureText.Bytes(client.PeakMemoryBytes)}"
                + $"{(client.Limits.Count == 0 ? "; not the bottleneck" : "")}");
    }
}
