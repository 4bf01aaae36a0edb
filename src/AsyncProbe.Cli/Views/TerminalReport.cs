using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>The summary of a run: the client's figures, the server's beside them, then what to think of both.</summary>
internal static class TerminalReport
{
    private static readonly Style Dim = new(decoration: Decoration.Dim);
    private static readonly Style Failure = new(Color.Red);
    private static readonly Style Warning = new(Color.Yellow);

    public static void Write(RunResult run, IAnsiConsole console, bool quiet)
    {
        console.WriteLine();
        console.Line(run.Session, new Style(decoration: Decoration.Bold));
        console.Line(LoadText.Done(run.Load), Dim);
        console.WriteLine();
        WriteFigures(run, console);
        TerminalServer.Write(run.Server, console);
        WriteClient(run.Client, console);
        foreach (var warning in run.Warnings)
        {
            console.Line("! " + warning.Text, Warning);
        }

        WriteThresholds(run.Thresholds, console);
        if (!quiet)
        {
            WriteDifferences(run, console);
        }
    }

    public static void WriteThresholds(IReadOnlyList<ThresholdResult> thresholds, IAnsiConsole console)
    {
        if (thresholds.Count == 0)
        {
            return;
        }

        console.WriteLine();
        console.Line("Thresholds");
        var width = thresholds.Max(threshold => threshold.Expression.Length);
        foreach (var threshold in thresholds)
        {
            var mark = threshold.Holds ? "holds " : "BROKEN";
            console.Line($"  {mark}  {threshold.Expression.PadRight(width)}  {ThresholdText.Actual(threshold)}", threshold.Holds ? new Style(Color.Green) : Failure);
        }
    }

    private static void WriteFigures(RunResult run, IAnsiConsole console)
    {
        var table = Tables.Plain("ms", "requests", "failed", "req/s", "min", "mean", "p50", "p75", "p90", "p95", "p99", "p99.9", "max", "dev");
        if (run.Requests.Count > 1)
        {
            foreach (var request in run.Requests)
            {
                table.AddRow(Row(request.Name, request.Figures, request.Figures.TimeMs));
            }
        }

        table.AddRow(Row(run.Requests.Count > 1 ? "Total" : run.Requests[0].Name, run.Total, run.Total.TimeMs));
        if (run.Total.FromSendMs is { } fromSend)
        {
            table.AddRow(Row("  from the actual send", null, fromSend));
        }

        if (run.Total.FailedTimeMs is { } failed)
        {
            table.AddRow(Row("  failed requests", null, failed));
        }

        console.Write(table);
        if (run.Total.TimeMs?.LowSamplePercentiles.Count > 0)
        {
            console.Line("  " + FigureText.LowSampleLegend, Dim);
        }

        var statuses = string.Join(", ", run.Total.StatusCodes.Select(pair => $"{pair.Key}: {FigureText.Number(pair.Value)}"));
        console.Line($"  status {(statuses.Length == 0 ? "none" : statuses)}; received {FigureText.Bytes(run.Total.BytesReceived)}{(run.Total.BytesSent > 0 ? $", sent {FigureText.Bytes(run.Total.BytesSent)}" : "")}{Late(run)}");
        foreach (var (reason, count) in run.Total.FailureReasons.Take(10))
        {
            console.Line($"  failed {FigureText.Number(count)} × {reason}", Failure);
        }

        if (run.Unanswered > 0)
        {
            console.Line(string.Create(CultureInfo.InvariantCulture,
                $"  {run.Unanswered} had no answer at the end; the oldest had waited {run.UnansweredOldestMs / 1000:0.0} s; no figure includes them"), Dim);
        }
    }

    private static string Late(RunResult run) =>
        run.Load.PlannedPerSecond is null ? "" : $"; {FigureText.Count(run.Total.LateStarts, "late start")} (more than 2 ms)";

    private static string[] Row(string name, Figures? figures, LatencyStatistics? time)
    {
        return
        [
            name, figures is null ? "" : FigureText.Number(figures.Requests), figures is null ? "" : FigureText.Number(figures.Failed),
            figures is null ? "" : FigureText.Rate(figures.RequestsPerSecond),
            FigureText.Ms(time?.MinMs), FigureText.Ms(time?.MeanMs), FigureText.Percentile(time, 50), FigureText.Percentile(time, 75), FigureText.Percentile(time, 90),
            FigureText.Percentile(time, 95), FigureText.Percentile(time, 99), FigureText.Percentile(time, 99.9), FigureText.Ms(time?.MaxMs), FigureText.Ms(time?.StandardDeviationMs),
        ];
    }

    private static void WriteClient(ClientFigures client, IAnsiConsole console)
    {
        var lag = client.SendLagP99Ms is { } ms ? $", p99 send lag {FigureText.Ms(ms)} ms" : "";
        console.WriteLine();
        console.Line(
            $"Client: {FigureText.Percent(client.CpuShare)} of all cores, {FigureText.Percent(client.GcPauseShare)} in GC pauses{lag}, " +
            $"{client.InFlightByLittle.ToString("0.#", CultureInfo.InvariantCulture)} in flight (Little's law), {FigureText.Bytes(client.PeakMemoryBytes)} at most" +
            (client.Limits.Count == 0 ? "; not the bottleneck" : ""), Dim);
    }

    private static void WriteDifferences(RunResult run, IAnsiConsole console)
    {
        if (run.Differences.Count == 0)
        {
            return;
        }

        console.WriteLine();
        console.Line("Different from WebSurge: " + string.Join(" ", run.Differences), Dim);
    }
}
