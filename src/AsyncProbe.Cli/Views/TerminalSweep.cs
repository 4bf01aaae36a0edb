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
                Text.Number(run.Total.LateStarts), Text.Ms(time?.P50Ms), Text.Ms(time?.P95Ms), Text.Ms(time?.P99Ms), Text.Ms(time?.MaxMs), Text.Ms(run.Total.FromSendMs?.P99Ms),
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

        foreach (var warning in sweep.Runs.SelectMany(run => run.Warnings.Where(warning => warning.StartsWith("client", StringComparison.Ordinal))).Distinct())
        {
            console.Line("! " + warning, new Style(Color.Yellow));
        }

        console.Line(sweep.Conclusion);
        foreach (var run in sweep.Runs.Where(run => run.Thresholds.Count > 0))
        {
            console.WriteLine();
            console.Line($"At {Text.Rate(run.Load.PlannedPerSecond)} a second:");
            TerminalReport.WriteThresholds(run.Thresholds, console);
        }
    }

    private static string ServerCell(double? value) => value is null ? Text.NotAvailable : Text.Number((long)value);
}
