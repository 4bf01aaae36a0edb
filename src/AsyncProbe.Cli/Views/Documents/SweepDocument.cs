using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Documents;

/// <summary>One line per rate, and the rate where the server fell behind.</summary>
internal static class SweepDocument
{
    private const int MostReasons = 3;

    private static readonly TextColumn[] s_columns =
    [
        new("planned/s"), new("in time/s", 0, "answered within the measured time"), new("requests", 7), new("failed"),
        new("late", 8, "started more than 2 ms after the plan"), new("p50", 4),
        new("p95", 0, "95 of 100 requests took no longer, and so on"), new("p99", 3),
        new("max", 6), new("p99 from send", 9, "without the time before the actual start"),
        new("pool threads", 5, "the most of the server"),
        new("queue delay", 2, "the longest on the server"), new("", 0, IsText: true),
    ];

    public static ReportDocument Create(SweepResult sweep) => new(
        sweep.Session,
        [
            new SentencesPart(SentenceStyle.Strong, sweep.Session) { StartsBlock = true, For = PartMedium.Terminal },
            new SentencesPart(SentenceStyle.Quiet, "open model; times are time from the planned start, ms") { Place = PartPlace.Head },
            new TablePart(null, s_columns, [.. sweep.Runs.Select(Row)]),
            new SentencesPart(
                SentenceStyle.Failure,
                [.. from run in sweep.Runs
                    from reason in run.Total.FailureReasons.Take(MostReasons)
                    select $"{At(run)}, failed {FigureText.Number(reason.Value)} × {reason.Key}"]),
            new SentencesPart(SentenceStyle.Quiet, HasLowSamples(sweep) ? [FigureText.LowSampleLegend] : []),
            new SentencesPart(SentenceStyle.Warning, [.. Remarks(sweep)]) { Place = PartPlace.Judgement },
            new SentencesPart(SentenceStyle.Plain, sweep.Conclusion) { Place = PartPlace.Lead },
            .. sweep.Runs.Select(run => new ThresholdsPart(
                $"At {FigureText.Rate(run.Load.PlannedPerSecond)} a second", run.Thresholds) { Place = PartPlace.Judgement }),
        ]);

    private static string[] Row(RunResult run)
    {
        var time = run.Total.TimeMs;
        return
        [
            FigureText.Rate(run.Load.PlannedPerSecond), FigureText.Rate(run.Total.RequestsPerSecond),
            FigureText.Number(run.Total.Requests), FigureText.Number(run.Total.Failed),
            FigureText.Number(run.Total.LateStarts), FigureText.Percentile(time, 50), FigureText.Percentile(time, 95),
            FigureText.Percentile(time, 99), FigureText.Ms(time?.MaxMs), FigureText.Percentile(run.Total.FromSendMs, 99),
            run.Server.PoolThreadsMax is { } threads ? FigureText.Number((long)threads) : FigureText.NotAvailable,
            FigureText.Ms(run.Server.QueueDelayMaxMs), SweepResult.Holds(run) ? "✓ kept up" : "✗ behind",
        ];
    }

    /// <summary>Whether any percentile in the table has fewer than ten slower requests.</summary>
    private static bool HasLowSamples(SweepResult sweep) =>
        sweep.Runs.Any(run => new[] { 50d, 95, 99 }.Any(percent => run.Total.TimeMs?.IsLowSample(percent) == true));

    /// <summary>What the table doesn't show, with the rate at which it happened.</summary>
    private static IEnumerable<string> Remarks(SweepResult sweep) =>
        from run in sweep.Runs
        from note in run.Warnings.Where(warning => warning.Kind != RunWarningKind.FellBehind).Select(warning => warning.Text)
            .Concat(run.Server.Findings)
        select $"{At(run)}: {note}";

    /// <summary>Which of the runs it was.</summary>
    public static string At(RunResult run) => $"at {FigureText.Rate(run.Load.PlannedPerSecond)} a second";
}
