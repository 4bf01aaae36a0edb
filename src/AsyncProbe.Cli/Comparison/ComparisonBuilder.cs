using System.Globalization;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Comparison;

/// <summary>Makes medians, ratios and a conclusion of several sessions' rounds.</summary>
internal static class ComparisonBuilder
{
    private sealed record Column(string Name, string Unit, Func<RunResult, double?> Read, double? Percent = null);

    /// <summary>From this ratio on, one session is not just better but of another kind.</summary>
    private const double FarApart = 3;

    private static readonly Column PerSecond = new("requests a second", "/s", run => run.Total.RequestsPerSecond);

    private static readonly Column[] Columns =
    [
        PerSecond,
        new("mean time", "ms", run => run.Total.TimeMs?.MeanMs),
        new("p50", "ms", run => run.Total.TimeMs?.P50Ms, 50),
        new("p95", "ms", run => run.Total.TimeMs?.P95Ms, 95),
        new("p99", "ms", run => run.Total.TimeMs?.P99Ms, 99),
        new("failed", "", run => run.Total.Failed),
        new("held a request", "ms", run => PerRequest(run, row => row.HeldMs)),
        new("blocked a request", "ms", run => PerRequest(run, row => row.BlockedMs)),
        new("cpu a request", "ms", run => PerRequest(run, row => row.CpuMs)),
        new("pool threads, most", "", run => run.Server.PoolThreadsMax),
        new("queue delay, most", "ms", run => run.Server.QueueDelayMaxMs),
    ];

    private static readonly Column ReachedTheMethod =
        new("reached the method", "", run => run.Server.Endpoints.Count == 0 ? null : run.Server.Endpoints.Sum(row => row.Requests - row.FromCache));

    public static ComparisonResult Build(
        IReadOnlyList<(string Name, IReadOnlyList<RunResult> Rounds)> sessions, IReadOnlyList<Threshold> thresholds, bool freshServer, bool interrupted)
    {
        var first = sessions[0].Rounds;
        var anyCached = sessions.Any(session => session.Rounds.Any(run => run.Server.Endpoints.Any(row => row.FromCache > 0)));
        Column[] columns = anyCached ? [.. Columns, ReachedTheMethod] : Columns;
        var compared = sessions.Select((session, i) => new ComparedSession
        {
            Name = session.Name,
            Rounds = session.Rounds,
            Figures = [.. columns.Select(column => Compare(column, session.Rounds, i == 0 ? null : first) with { LowSample = IsLowSample(column, session.Rounds) })],
        }).ToList();
        return new ComparisonResult
        {
            Rounds = sessions.Min(session => session.Rounds.Count),
            FreshServer = freshServer,
            Interrupted = interrupted,
            Sessions = compared,
            Conclusion = Conclude(compared),
            Predictions = Predictions.Describe(compared),
            Thresholds = [.. sessions.SelectMany(session => thresholds.Select(threshold => Judge(session.Name, session.Rounds, threshold)))],
            Warnings = [.. GrownPool(sessions, freshServer), .. sessions.SelectMany(session => session.Rounds.SelectMany(run => run.Warnings).DistinctBy(warning => warning.Kind).Select(warning => $"{session.Name}: {warning.Text}"))],
        };
    }

    private static ComparedFigure Compare(Column column, IReadOnlyList<RunResult> rounds, IReadOnlyList<RunResult>? first)
    {
        var median = Median.Calculate(rounds.Select(column.Read));
        if (first is null || Median.Calculate(first.Select(column.Read)) is not { } baseline || baseline == 0 || median is null)
        {
            return new(column.Name, column.Unit, median, null, null, null, Shown: false);
        }

        var (low, high) = Interval(column, rounds, first);
        return new(column.Name, column.Unit, median, median / baseline, low, high, Shown: low > 1 || high < 1);
    }

    private static bool IsLowSample(Column column, IReadOnlyList<RunResult> rounds) =>
        column.Percent is { } percent && rounds.Any(run => run.Total.TimeMs?.IsLowSample(percent) == true);

    /// <summary>The lowest and highest ratio within one round: rounds share the machine's mood, so they are compared with themselves.</summary>
    private static (double? Low, double? High) Interval(Column column, IReadOnlyList<RunResult> rounds, IReadOnlyList<RunResult> first)
    {
        var ratios = rounds.Zip(first, (mine, theirs) => column.Read(mine) / column.Read(theirs)).OfType<double>().Where(double.IsFinite).ToArray();
        return ratios.Length < 2 ? (null, null) : (ratios.Min(), ratios.Max());
    }

    private static string Conclude(List<ComparedSession> sessions)
    {
        var order = sessions.OrderBy(session => session.Figures[0].Median ?? 0).ToList();
        var text = $"Requests a second: {Describe(order[0], sessions[0])}";
        for (var i = 1; i < order.Count; i++)
        {
            var ratio = order[i].Figures[0].Median / order[i - 1].Figures[0].Median;
            var (low, _) = Interval(PerSecond, order[i].Rounds, order[i - 1].Rounds);
            // Without rounds there is no spread: the ratio alone speaks, when it is large.
            var sign = low <= 1 || (low is null && ratio < FarApart) ? "~" : ratio >= FarApart ? "≪" : "<";
            text += $" {sign} {Describe(order[i], sessions[0])}";
        }

        return text + ".";
    }

    private static string Describe(ComparedSession session, ComparedSession first)
    {
        var figure = session.Figures[0];
        var ratio = session == first || figure.Ratio is null ? "" : string.Create(CultureInfo.InvariantCulture, $", {FigureText.Times(figure.Ratio.Value)}");
        return $"{session.Name} ({FigureText.Rate(figure.Median)}{ratio})";
    }

    private static ThresholdResult Judge(string name, IReadOnlyList<RunResult> rounds, Threshold threshold)
    {
        var values = rounds.Select(run => ThresholdMetrics.Value(run, threshold)).ToList();
        // A round without the figure is not left out of the median: it would hide that round.
        var actual = values.Contains(null) ? null : Median.Calculate(values);
        return new($"{name}: {threshold.Expression}", actual, actual is { } value && threshold.Holds(value), threshold.NeedsServer && actual is null,
            rounds.Select(run => ThresholdMetrics.Note(run, threshold)).FirstOrDefault(note => note is not null)) { IsAboutFailures = threshold.IsAboutFailures };
    }

    /// <summary>A pool that one run has grown serves the next: then the rounds do not measure the same server.</summary>
    private static IEnumerable<string> GrownPool(IReadOnlyList<(string Name, IReadOnlyList<RunResult> Rounds)> sessions, bool freshServer)
    {
        var first = sessions[0].Rounds[0].Server.PoolThreadsStart;
        var last = sessions[^1].Rounds[^1].Server.PoolThreadsStart;
        if (!freshServer && last > 2 * first)
        {
            yield return string.Create(CultureInfo.InvariantCulture,
                $"the server's pool grew from {first} to {last} threads from the first run to the last, so later runs had more threads. With --server \"command\" every run gets a fresh server.");
        }
    }

    private static double? PerRequest(RunResult run, Func<EndpointSide, TimeSums> time)
    {
        var rows = run.Server.Endpoints.Where(row => time(row).Total is not null).ToList();
        return rows.Count == 0 ? null : rows.Sum(row => time(row).Total) / rows.Sum(row => row.Requests);
    }
}
