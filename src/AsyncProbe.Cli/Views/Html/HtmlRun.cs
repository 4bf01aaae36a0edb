using System.Globalization;
using System.Text;
using System.Text.Json;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Html;

/// <summary>What only a page shows of a run: the key figures, and both sides on one time axis.</summary>
internal static class HtmlRun
{
    public static void Cards(StringBuilder body, RunResult run)
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

    public static void Charts(StringBuilder body, RunResult run) => body.Append(
        CultureInfo.InvariantCulture,
        $"<div class=\"charts\"></div>\n<script type=\"application/json\" class=\"run\">{Data(run)}</script>\n");

    private static string Data(RunResult run) =>
        // A "<" in a URL must not end the script element that contains it.
        JsonSerializer.Serialize(run with { Thresholds = [], Warnings = [], Differences = [] }, ResultJson.Readable.RunResult)
            .Replace("<", "\\u003c", StringComparison.Ordinal);
}
