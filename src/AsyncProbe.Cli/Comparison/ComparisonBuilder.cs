using System.Globalization;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Comparison;

/// <summary>Calculates medians, ratios and a conclusion from several sessions' rounds.</summary>
internal static class ComparisonBuilder
{
    private sealed record Column(string Name, string Unit, Func<RunResult, double?> Read, double? Percent = null)
    {
        public string More { get; init; } = "more";

        public string Less { get; init; } = "less";
    }

    private const string Faster = "faster";
    private const string Slower = "slower";

    private static readonly Column PerSecond = new("requests a second", "/s", run => run.Total.RequestsPerSecond) { Less = "fewer" };

    private static readonly Column[] Columns =
    [
        PerSecond,
        new("mean time", "ms", run => run.Total.TimeMs?.MeanMs) { More = Slower, Less = Faster },
        new("p50", "ms", run => run.Total.TimeMs?.P50Ms, 50) { More = Slower, Less = Faster },
        new("p95", "ms", run => run.Total.TimeMs?.P95Ms, 95) { More = Slower, Less = Faster },
        new("p99", "ms", run => run.Total.TimeMs?.P99Ms, 99) { More = Slower, Less = Faster },
        new("failed", "", run => run.Total.Failed) { Less = "fewer" },
        new("held a request", "ms", run => PerRequest(run, row => row.HeldMs)),
        new("blocked a request", "ms", run => PerRequest(run, row => row.BlockedMs)),
        new("cpu a request", "ms", run => PerRequest(run, row => row.CpuMs)),
        new("max pool threads", "", run => run.Server.PoolThreadsMax) { Less = "fewer" },
        new("max queue delay", "ms", run => run.Server.QueueDelayMaxMs) { More = "longer", Less = "shorter" },
    ];

    private static readonly Column ReachedTheMethod =
        new(
            "reached the method", "",
            run => run.Server.Endpoints.Count == 0 ? null : run.Server.Endpoints.Sum(row => row.Requests - row.FromCache))
        {
            Less = "fewer",
        };

    public static ComparisonResult Build(
        IReadOnlyList<(string Name, IReadOnlyList<RunResult> Rounds)> sessions, IReadOnlyList<Threshold> thresholds, bool freshServer,
        bool interrupted)
    {
        var first = sessions[0].Rounds;
        var anyCached = sessions.Any(session => session.Rounds.Any(run => run.Server.Endpoints.Any(row => row.FromCache > 0)));
        Column[] columns = anyCached ? [.. Columns, ReachedTheMethod] : Columns;
        var compared = sessions.Select((session, i) => new ComparedSession
        {
            Name = session.Name,
            Rounds = session.Rounds,
            Figures = [.. columns.Select(column => Compare(column, session.Rounds, i == 0 ? null : first) with
            {
                LowSample = IsLowSample(column, session.Rounds),
                More = column.More,
                Less = column.Less,
            })],
        }).ToList();
        return new ComparisonResult
        {
            Rounds = sessions.Min(session => session.Rounds.Count),
            FreshServer = freshServer,
            Interrupted = interrupted,
            Sessions = compared,
            Conclusion = Conclude(compared),
            Predictions = Predictions.Describe(compared),
            Thresholds = [.. sessions.SelectMany(session => thresholds.Where(threshold => Has(session.Rounds, threshold)
                || !sessions.Any(other => Has(other.Rounds, threshold))).Select(
                    threshold => Judge(session.Name, session.Rounds, threshold)))],
            Warnings =
            [
                .. GrownPool(sessions, freshServer),
                .. NewSites(sessions),
                .. sessions.SelectMany(
                    session => session.Rounds.SelectMany(run => run.Warnings).DistinctBy(warning => warning.Kind).Select(
                        warning => $"{session.Name}: {warning.Text}")),
            ],
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

    /// <summary>
    /// The lowest and highest ratio within one round. The machine's speed varies from round to round, so only figures of the same round are
    /// compared.
    /// </summary>
    private static (double? Low, double? High) Interval(Column column, IReadOnlyList<RunResult> rounds, IReadOnlyList<RunResult> first)
    {
        var ratios = rounds.Zip(first, (mine, theirs) => column.Read(mine) / column.Read(theirs)).OfType<double>().Where(double.IsFinite)
            .ToArray();
        return ratios.Length < 2 ? (null, null) : (ratios.Min(), ratios.Max());
    }

    private static string Conclude(List<ComparedSession> sessions)
    {
        var order = sessions.OrderBy(session => session.Figures[0].Median ?? 0);
        return $"Requests a second: {string.Join("; ", order.Select(session => Describe(session, sessions[0])))}.";
    }

    private static string Describe(ComparedSession session, ComparedSession first)
    {
        var figure = session.Figures[0];
        var text = $"{session.Name} {FigureText.Rate(figure.Median)}";
        return session == first || figure.Ratio is not { } ratio
            ? text
            : $"{text}, {RatioText.Describe(ratio, figure.RatioLow, figure.RatioHigh, figure.More, figure.Less)}";
    }

    /// <summary>Sessions of different URLs don't have each other's requests. A name that none of them has fails in all of them.</summary>
    private static bool Has(IReadOnlyList<RunResult> rounds, Threshold threshold) =>
        rounds.Any(run => ThresholdMetrics.HasNamed(run, threshold));

    private static ThresholdResult Judge(string name, IReadOnlyList<RunResult> rounds, Threshold threshold)
    {
        var values = rounds.Select(run => ThresholdMetrics.Value(run, threshold)).ToList();
        // A round without the figure makes the result null: leaving it out of the median would hide that round. A site that is new in any
        // round is new.
        var actual = threshold.Metric == ThresholdMetrics.NewSites
            ? ThresholdMetrics.Value([.. rounds.Select(run => run.Server)], threshold)
            : values.Contains(null) ? null
            : Median.Calculate(values);
        return new($"{name}: {threshold.Expression}", actual, actual is { } value && threshold.Holds(value),
            threshold.NeedsServer && actual is null,
            rounds.Select(run => ThresholdMetrics.Note(run, threshold)).FirstOrDefault(note => note is not null))
        {
            IsAboutFailures = threshold.IsAboutFailures,
            Unit = threshold.Unit,
        };
    }

    /// <summary>If one run grows the pool and the next run uses it, the rounds don't measure the same server.</summary>
    private static IEnumerable<string> GrownPool(IReadOnlyList<(string Name, IReadOnlyList<RunResult> Rounds)> sessions, bool freshServer)
    {
        var first = sessions[0].Rounds[0].Server.PoolThreadsStart;
        var last = sessions[^1].Rounds[^1].Server.PoolThreadsStart;
        if (!freshServer && last > 2 * first)
        {
            yield return string.Create(CultureInfo.InvariantCulture,
                $"The server's pool grew from {first} to {last} threads from the first run to the last, so later runs had more threads. "
                    + $"With --server \"command\" every run gets a fresh server.");
        }
    }

    private static IEnumerable<string> NewSites(IReadOnlyList<(string Name, IReadOnlyList<RunResult> Rounds)> sessions) =>
        from session in sessions
        let found = session.Rounds.SelectMany(run => run.Server.NewSites ?? []).DistinctBy(site => (site.Kind, site.Method)).ToList()
        from sentence in Baseline.Describe(found)
        select $"{session.Name}: {sentence}";

    private static double? PerRequest(RunResult run, Func<EndpointSide, TimeSums> time)
    {
        var rows = run.Server.Endpoints.Where(row => time(row).Total is not null).ToList();
        return rows.Sum(row => row.Requests) == 0 ? null : rows.Sum(row => time(row).Total) / rows.Sum(row => row.Requests);
    }
}
