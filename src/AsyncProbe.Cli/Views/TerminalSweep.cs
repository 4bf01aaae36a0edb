using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>One line per rate, and the rate where the server fell behind.</summary>
internal static class TerminalSweep
{
    private static readonly TextColumn[] s_columns =
    [
        new("planned/s"), new("in time/s", 0, "answered within the measured time"), new("requests", 7), new("failed"),
        new("late", 8, "started more than 2 ms after the plan"), new("p50", 4),
        new("p95", 0, "95 of 100 requests took no longer, and so on"), new("p99", 3),
        new("max", 6), new("p99 from send", 9, "without the time before the actual start"),
        new("pool threads", 5, "the most of the server"),
        new("queue delay", 2, "the longest on the server"), new("", 0, IsText: true),
    ];

    public static void Write(SweepResult sweep, IAnsiConsole console)
    {
        console.WriteLine();
        console.Line(sweep.Session, new Style(decoration: Decoration.Bold));
        console.Line("open model; times are time from the planned start, ms", new Style(decoration: Decoration.Dim));
        var table = new FittedTable(s_columns);
        foreach (var run in sweep.Runs)
        {
            var time = run.Total.TimeMs;
            table.Add(
                FigureText.Rate(run.Load.PlannedPerSecond), FigureText.Rate(run.Total.RequestsPerSecond),
                FigureText.Number(run.Total.Requests), FigureText.Number(run.Total.Failed),
                FigureText.Number(run.Total.LateStarts), FigureText.Percentile(time, 50), FigureText.Percentile(time, 95),
                FigureText.Percentile(time, 99), FigureText.Ms(time?.MaxMs), FigureText.Percentile(run.Total.FromSendMs, 99),
                ServerCell(run.Server.PoolThreadsMax), FigureText.Ms(run.Server.QueueDelayMaxMs),
                SweepResult.Holds(run) ? "✓ kept up" : "✗ behind");
        }

        table.Write(console);
        foreach (var run in sweep.Runs)
        {
            foreach (var (reason, count) in run.Total.FailureReasons.Take(3))
            {
                console.Line(
                    $"  at {FigureText.Rate(run.Load.PlannedPerSecond)} a second, failed {FigureText.Number(count)} × {reason}",
                    new Style(Color.Red));
            }
        }

        if (HasLowSamples(sweep))
        {
            console.Line(FigureText.LowSampleLegend, new Style(decoration: Decoration.Dim));
        }

        foreach (var remark in Remarks(sweep))
        {
            console.Line("! " + remark, new Style(Color.Yellow));
        }

        console.Line(sweep.Conclusion);
        foreach (var run in sweep.Runs.Where(run => run.Thresholds.Count > 0))
        {
            console.WriteLine();
            console.Line($"At {FigureText.Rate(run.Load.PlannedPerSecond)} a second:");
            TerminalReport.WriteThresholds(run.Thresholds, console);
        }
    }

    /// <summary>Whether any percentile in the table has fewer than ten slower requests.</summary>
    public static bool HasLowSamples(SweepResult sweep) =>
        sweep.Runs.Any(run => new[] { 50d, 95, 99 }.Any(percent => run.Total.TimeMs?.IsLowSample(percent) == true));

    /// <summary>What the table doesn't show, with the rate at which it happened.</summary>
    public static IEnumerable<string> Remarks(SweepResult sweep) =>
        from run in sweep.Runs
        from note in run.Warnings.Where(warning => warning.Kind != RunWarningKind.FellBehind).Select(warning => warning.Text)
            .Concat(run.Server.Findings)
        select $"at {FigureText.Rate(run.Load.PlannedPerSecond)} a second: {note}";

    private static string ServerCell(double? value) => value is null ? FigureText.NotAvailable : FigureText.Number((long)value);
}
