using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>The summary of a run: the client's figures, the server's figures, then the conclusions from both.</summary>
internal static class TerminalReport
{
    private const string Mean = "mean";

    private static readonly Style Dim = new(decoration: Decoration.Dim);
    private static readonly Style Failure = new(Color.Red);
    private static readonly Style Warning = new(Color.Yellow);

    private static readonly TextColumn[] s_columns =
    [
        new("times in ms"), new("requests"), new("failed"), new("req/s", 0, "answered a second"), new("min", 8), new(Mean, 4),
        new("p50", 0, "half of the requests took no longer"), new("p75", 7), new("p90", 6),
        new("p95", 0, "95 of 100 took no longer, and so on"),
        new("p99", 1), new("p99.9", 5), new("max", 3), new("dev", 9, "standard deviation"),
    ];

    public static void Write(RunResult run, IAnsiConsole console, bool quiet, bool differences = false)
    {
        console.WriteLine();
        console.Line(run.Session, new Style(decoration: Decoration.Bold));
        console.Line(LoadText.Done(run.Load), Dim);
        console.WriteLine();
        var hasMean = WriteFigures(run, console, quiet);
        if (!quiet)
        {
            HistogramText.Write(run.Distribution, console);
        }

        TerminalServer.Write(run.Server, console, quiet, hasMean);
        WriteClient(run.Client, console);
        foreach (var warning in run.Warnings)
        {
            console.Line("! " + warning.Text, Warning);
        }

        WriteThresholds(run.Thresholds, console);
        if (differences)
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
            console.Line(
                $"  {(threshold.Holds ? '✓' : '✗')} {threshold.Expression.PadRight(width)}  {ThresholdText.Actual(threshold)}",
                threshold.Holds ? new Style(Color.Green) : Failure);
        }
    }

    /// <returns>Whether the mean is on the screen.</returns>
    private static bool WriteFigures(RunResult run, IAnsiConsole console, bool quiet)
    {
        var table = new FittedTable(s_columns);
        if (run.Requests.Count > 1)
        {
            foreach (var request in run.Requests)
            {
                table.Add(FiguresRow.Create(request.Name, request.Figures, request.Figures.TimeMs));
            }
        }

        table.Add(FiguresRow.Create(run.Requests.Count > 1 ? "Total" : run.Requests[0].Name, run.Total, run.Total.TimeMs));
        if (run.Total.FromSendMs is { } fromSend)
        {
            table.Add(FiguresRow.Create("  from the actual send", null, fromSend));
        }

        if (run.Total.FailedTimeMs is { } failed)
        {
            table.Add(FiguresRow.Create("  failed requests", null, failed));
        }

        table.Write(console, legend: !quiet);
        if (run.Total.TimeMs?.LowSamplePercentiles.Count > 0)
        {
            console.Line(FigureText.LowSampleLegend, Dim);
        }

        var statuses = string.Join(", ", run.Total.StatusCodes.Select(pair => $"{pair.Key}: {FigureText.Number(pair.Value)}"));
        console.Line(
            $"  status {(statuses.Length == 0 ? "none" : statuses)}; "
                + $"received {FigureText.Bytes(run.Total.BytesReceived)}{(run.Total.BytesSent > 0 ? $", sent {FigureText.Bytes(run.Total.BytesSent)}" : "")}{Late(run)}");
        foreach (var (reason, count) in run.Total.FailureReasons.Take(10))
        {
            console.Line($"  failed {FigureText.Number(count)} × {reason}", Failure);
        }

        if (run.Unanswered > 0)
        {
            console.Line(string.Create(CultureInfo.InvariantCulture,
                $"  {run.Unanswered:N0} unanswered at the end, the oldest after {run.UnansweredOldestMs / 1000:0.0} s; they are in no "
                    + $"figure"), Dim);
        }

        return run.Total.TimeMs is not null && table.Shows(Mean, console.Profile.Width);
    }

    private static string Late(RunResult run) =>
        run.Load.PlannedPerSecond is null ? "" : $"; {FigureText.Count(run.Total.LateStarts, "late start")} (more than 2 ms)";

    private static void WriteClient(ClientFigures client, IAnsiConsole console)
    {
        var lag = client.SendLagP99Ms is { } ms ? $", p99 send lag {FigureText.Ms(ms)} ms" : "";
        console.WriteLine();
        console.Line(
            $"This tool: {FigureText.Percent(client.CpuShare)} of all cores, {FigureText.Percent(client.GcPauseShare)} in GC pauses{lag}, "
                +
            $"{client.InFlightByLittle.ToString("0.#", CultureInfo.InvariantCulture)} requests in flight (Little's law), max "
            + $"memory {FigureText.Bytes(client.PeakMemoryBytes)}" +
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
