using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>One run: a description, the key figures, both sides on one time axis, then the tables.</summary>
internal static class HtmlRun
{
    public static void Write(StringBuilder body, RunResult run, bool titled, string? title = null)
    {
        body.Append("<section>\n");
        if (titled)
        {
            var rate = run.Load.PlannedPerSecond is { } planned ? $" at {FigureText.Rate(planned)} a second" : "";
            body.Append(CultureInfo.InvariantCulture, $"<h2>{HtmlParts.Escape((title ?? run.Session) + rate)}</h2>\n");
        }

        body.Append(CultureInfo.InvariantCulture,
            $"<p class=\"quiet\">{HtmlParts.Escape(LoadText.Done(run.Load))}; begun {run.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm:ss} "
                + $"UTC{(run.Interrupted ? "; interrupted" : "")}</p>\n");
        Cards(body, run);
        HtmlParts.Sentences(body, "warning", ResultText.Notes(run));
        HtmlParts.Thresholds(body, run.Thresholds);
        body.Append("<div class=\"charts\"></div>\n");
        body.Append(CultureInfo.InvariantCulture, $"<script type=\"application/json\" class=\"run\">{HtmlReport.Data(run)}</script>\n");
        Figures(body, run);
        HtmlServer.Write(body, run.Server);
        HtmlParts.Sentences(body, "quiet", [Client(run.Client)]);
        if (run.Differences.Count > 0)
        {
            body.Append("<details class=\"quiet\"><summary>What WebSurge would do differently</summary>");
            HtmlParts.Sentences(body, "quiet", run.Differences);
            body.Append("</details>\n");
        }

        body.Append("</section>\n");
    }

    private static void Cards(StringBuilder body, RunResult run)
    {
        var time = run.Total.TimeMs;
        body.Append("<dl class=\"cards\">");
        Card("requests/s", FigureText.Rate(run.Total.RequestsPerSecond), "");
        Card("median", FigureText.Ms(time?.P50Ms) + " ms", LowSample(50));
        Card("p95", FigureText.Ms(time?.P95Ms) + " ms", LowSample(95));
        Card("p99", FigureText.Ms(time?.P99Ms) + " ms", LowSample(99));
        Card("failed", FigureText.Number(run.Total.Failed), run.Total.Failed > 0 ? FigureText.Percent(run.Total.FailedShare) : "");
        if (run.Server.Endpoints is [var worst, ..])
        {
            Card("held a request", FigureText.Ms(worst.HeldMs.Mean) + " ms", $"{FigureText.Ms(worst.BlockedMs.Mean)} blocked");
        }

        if (run.Server.PoolThreadsMax is not null)
        {
            Card(
                "pool threads", $"{run.Server.PoolThreadsStart:0} → {run.Server.PoolThreadsMax:0}",
                $"queue delay {FigureText.Ms(run.Server.QueueDelayMaxMs)} ms");
        }

        body.Append("</dl>\n");

        string LowSample(double percent) => time?.IsLowSample(percent) == true ? "few samples" : "";

        void Card(string name, string value, string note) => body.Append(CultureInfo.InvariantCulture,
            $"<div><dt>{HtmlParts.Escape(name)}</dt><dd>{HtmlParts.Escape(value)}<small>{HtmlParts.Escape(note)}</small></dd></div>");
    }

    private static void Figures(StringBuilder body, RunResult run)
    {
        body.Append("<h3>Client</h3>\n");
        var rows = run.Requests.Select(request => FiguresRow.Create(request.Name, request.Figures, request.Figures.TimeMs)).ToList();
        if (rows.Count > 1)
        {
            rows.Add(FiguresRow.Create("Total", run.Total, run.Total.TimeMs));
        }

        if (run.Total.FromSendMs is { } fromSend)
        {
            rows.Add(FiguresRow.Create("from the actual send", null, fromSend));
        }

        if (run.Total.FailedTimeMs is { } failed)
        {
            rows.Add(FiguresRow.Create("failed requests", null, failed));
        }

        HtmlParts.Table(
            body, ["ms", "requests", "failed", "req/s", "min", "mean", "p50", "p75", "p90", "p95", "p99", "p99.9", "max", "dev"], rows);
        var legend = run.Total.TimeMs?.LowSamplePercentiles.Count > 0 ? $" {FigureText.LowSampleLegend}." : "";
        var statuses = string.Join(", ", run.Total.StatusCodes.Select(pair => $"{pair.Key}: {FigureText.Number(pair.Value)}"));
        HtmlParts.Sentences(
            body, "quiet",
            [$"Status {statuses}; received {FigureText.Bytes(run.Total.BytesReceived)}, "
                + $"sent {FigureText.Bytes(run.Total.BytesSent)}.{legend}"]);
        HtmlParts.Sentences(
            body, "failure", run.Total.FailureReasons.Select(pair => $"failed {FigureText.Number(pair.Value)} × {pair.Key}"));
    }

    private static string Client(ClientFigures client) => string.Create(CultureInfo.InvariantCulture,
        $"The tool itself: {FigureText.Percent(client.CpuShare)} of all cores, {FigureText.Percent(client.GcPauseShare)} in GC "
            + $"pauses, {client.InFlightByLittle:0.#} requests in flight (Little's law), {FigureText.Bytes(client.PeakMemoryBytes)} at "
            + $"most.");
}
