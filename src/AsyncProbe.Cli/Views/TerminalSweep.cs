using AsyncProbe.Cli.Results;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>One line a rate, and where the server fell behind.</summary>
internal static class TerminalSweep
{
    public static void Write(SweepResult sweep, IAnsiConsole console)
    {
        console.WriteLine();
        console.Line(sweep.Session, new Style(decoration: Decoration.Bold));
        console.Line("open model; times are time from the planned start, ms", new Style(decoration: Decoration.Dim));
        var table = Tables.Plain("planned/s", "in time/s", "requests", "failed", "late", "p50", "p95", "p99", "max", "p99 from send", "pool threads", "queue delay", "");
        foreach (var run in sweep.Runs)
        {
            var time = run.Total.TimeMs;
            table.AddRow(
            [
                Text.Rate(run.Load.PlannedPerSecond), Text.Rate(run.Total.RequestsPerSecond), Text.Number(run.Total.Requests), Text.Number(run.Total.Failed),
                Text.Number(run.Total.LateStarts), Text.Percentile(time, 50), Text.Percentile(time, 95), Text.Percentile(time, 99), Text.Ms(time?.MaxMs), Text.Percentile(run.Total.FromSendMs, 99),
                ServerCell(run.Server.PoolThreadsMax), Text.Ms(run.Server.QueueDelayMaxMs), SweepResult.Holds(run) ? "held" : "BEHIND",
            ]);
        }

        console.Write(table);
        foreach (var run in sweep.Runs)
        {
            foreach (var (reason, count) in run.Total.FailureReasons.Take(3))
            {
                console.Line($"  at {Text.Rate(run.Load.PlannedPerSecond)} a second, failed {Text.Number(count)} × {reason}", new Style(Color.Red));
            }
        }

        foreach (var remark in Remarks(sweep))
        {
            console.Line((remark == Text.ThinLegend ? "  " : "! ") + remark, new Style(Color.Yellow));
        }

        console.Line(sweep.Conclusion);
        foreach (var run in sweep.Runs.Where(run => run.Thresholds.Count > 0))
        {
            console.WriteLine();
            console.Line($"At {Text.Rate(run.Load.PlannedPerSecond)} a second:");
            TerminalReport.WriteThresholds(run.Thresholds, console);
        }
    }

    /// <summary>What is not in the table already; each of the rate that it is about.</summary>
    public static IEnumerable<string> Remarks(SweepResult sweep)
    {
        if (sweep.Runs.Any(run => new[] { 50d, 95, 99 }.Any(percent => run.Total.TimeMs?.IsThin(percent) == true)))
        {
            yield return Text.ThinLegend;
        }

        foreach (var run in sweep.Runs)
        {
            foreach (var warning in run.Warnings.Where(warning => !warning.StartsWith("the server fell behind", StringComparison.Ordinal)).Concat(run.Server.Findings))
            {
                yield return $"at {Text.Rate(run.Load.PlannedPerSecond)} a second: {warning}";
            }
        }
    }

    private static string ServerCell(double? value) => value is null ? Text.NotAvailable : Text.Number((long)value);
}
