using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>Writes a result as Markdown, for pull requests and build summaries.</summary>
internal static class MarkdownReport
{
    public static string Create(RunResult run)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"## {Escape(run.Session)}\n\n{Escape(LoadText.Done(run.Load))}.\n\n");
        Figures(text, run);
        Server(text, run.Server);
        Sentences(text, run.Warnings.Select(warning => warning.Text));
        Thresholds(text, run.Thresholds);
        return text.ToString();
    }

    public static string Create(SweepResult sweep)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"## {Escape(sweep.Session)}\n\n{Escape(sweep.Conclusion)}\n\n");
        Head(text, "planned/s", "in time/s", "requests", "failed", "p50 ms", "p95 ms", "p99 ms");
        foreach (var run in sweep.Runs)
        {
            var time = run.Total.TimeMs;
            Row(text, FigureText.Rate(run.Load.PlannedPerSecond), FigureText.Rate(run.Total.RequestsPerSecond),
                FigureText.Number(run.Total.Requests), FigureText.Number(run.Total.Failed),
                FigureText.Percentile(time, 50), FigureText.Percentile(time, 95), FigureText.Percentile(time, 99));
        }

        text.Append('\n');
        Sentences(text, TerminalSweep.HasLowSamples(sweep) ? [FigureText.LowSampleLegend] : []);
        Sentences(text, TerminalSweep.Remarks(sweep));
        foreach (var run in sweep.Runs)
        {
            Thresholds(text, run.Thresholds);
        }

        return text.ToString();
    }

    public static string Create(ComparisonResult comparison)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"## {string.Join(" · ", comparison.Sessions.Select(session => Escape(session.Name)))}\n\n{Escape(comparison.Conclusion)}\n\n");
        Head(text, ComparisonText.Head(comparison));
        foreach (var row in ComparisonText.Rows(comparison))
        {
            Row(text, row);
        }

        text.Append(
            CultureInfo.InvariantCulture,
            $"\n{Escape(ComparisonText.Heading(comparison))}; {Escape(ComparisonText.Legend(comparison))}.\n\n");
        Sentences(text, comparison.Predictions);
        Sentences(text, comparison.Warnings);
        Thresholds(text, comparison.Thresholds);
        return text.ToString();
    }

    private static void Figures(StringBuilder text, RunResult run)
    {
        Head(text, "ms", "requests", "failed", "req/s", "mean", "p50", "p90", "p95", "p99", "max");
        foreach (var (name, figures) in run.Requests.Select(request => (request.Name, request.Figures)).Append(("Total", run.Total))
            .Skip(run.Requests.Count == 1 ? 1 : 0))
        {
            var time = figures.TimeMs;
            Row(text, name, FigureText.Number(figures.Requests), FigureText.Number(figures.Failed),
                FigureText.Rate(figures.RequestsPerSecond),
                FigureText.Ms(time?.MeanMs), FigureText.Percentile(time, 50), FigureText.Percentile(time, 90),
                FigureText.Percentile(time, 95), FigureText.Percentile(time, 99), FigureText.Ms(time?.MaxMs));
        }

        text.Append('\n');
        Sentences(text, run.Total.TimeMs?.LowSamplePercentiles.Count > 0 ? [FigureText.LowSampleLegend] : []);
        Sentences(text, run.Total.FailureReasons.Take(10).Select(pair => $"failed {FigureText.Number(pair.Value)} × {pair.Key}"));
    }

    private static void Server(StringBuilder text, ServerSide server)
    {
        if (server.Status != ServerStatus.Joined)
        {
            text.Append(CultureInfo.InvariantCulture, $"{Escape(ServerText.Absence(server))}\n\n");
            return;
        }

        text.Append(CultureInfo.InvariantCulture, $"Server: {Escape(ServerText.Pool(server))}.\n\n");
        Head(text, "server, ms a request", "requests", "held", "cpu", "blocked", "ceiling/s", "reached/s", "verdict", "blocked at");
        foreach (var row in server.Endpoints)
        {
            Row(text, row.Endpoint, FigureText.Number(row.Requests), FigureText.Ms(row.HeldMs.Mean), FigureText.Ms(row.CpuMs.Mean),
                FigureText.Ms(row.BlockedMs.Mean),
                FigureText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh), FigureText.Rate(row.ReachedPerSecond),
                ServerText.Verdict(row), WorstSiteText.Where(row));
        }

        text.Append('\n');
        Sentences(
            text, server.Endpoints.Any(row => ServerText.LacksCpuWait(row.CpuWaitMs, row.BlockedMs)) ? [ServerText.NoCpuWaitLegend] : []);
        Sentences(text, server.Endpoints.Where(row => row.Advice is { Length: > 0 }).Select(row => $"{row.Endpoint}: {row.Advice}"));
        Sentences(text, server.Findings);
    }

    public static void Thresholds(StringBuilder text, IReadOnlyList<ThresholdResult> thresholds)
    {
        if (thresholds.Count == 0)
        {
            return;
        }

        text.Append('\n');
        Head(text, "threshold", "actual", "holds");
        foreach (var threshold in thresholds)
        {
            Row(text, threshold.Expression, ThresholdText.Actual(threshold), threshold.Holds ? "✓" : "✗ **no**");
        }
    }

    public static void Sentences(StringBuilder text, IEnumerable<string> sentences)
    {
        var any = false;
        foreach (var sentence in sentences)
        {
            any = true;
            text.Append("- ").Append(Escape(sentence)).Append('\n');
        }

        text.Append(any ? "\n" : "");
    }

    public static void Head(StringBuilder text, params string[] cells)
    {
        Row(text, cells);
        text.Append("|---|").Append(string.Concat(Enumerable.Repeat("---:|", cells.Length - 1))).Append('\n');
    }

    public static void Row(StringBuilder text, params string[] cells) =>
        text.Append("| ").AppendJoin(" | ", cells.Select(cell => cell == "✗ **no**" ? cell : Escape(cell))).Append(" |\n");

    public static string Escape(string cell) => MarkdownText.Escape(cell);
}
