using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>The table of requests: its columns, and a row.</summary>
internal static class FiguresRow
{
    public const string Mean = "mean";

    public static IReadOnlyList<TextColumn> Columns { get; } =
    [
        new("times in ms"), new("requests"), new("failed"), new("req/s", 0, "answered a second"), new("min", 8), new(Mean, 4),
        new("p50", 0, "half of the requests took no longer"), new("p75", 7), new("p90", 6),
        new("p95", 0, "95 of 100 took no longer, and so on"),
        new("p99", 1), new("p99.9", 5), new("max", 3), new("dev", 9, "standard deviation"),
    ];

    /// <param name="name">What the figures describe.</param>
    /// <param name="figures">Null for a row that has times only.</param>
    /// <param name="time">The times, if there are any.</param>
    public static string[] Create(string name, Figures? figures, LatencyStatistics? time) =>
    [
        name,
        figures is null ? "" : FigureText.Number(figures.Requests),
        figures is null ? "" : FigureText.Number(figures.Failed),
        figures is null ? "" : FigureText.Rate(figures.RequestsPerSecond),
        FigureText.Ms(time?.MinMs),
        FigureText.Ms(time?.MeanMs),
        FigureText.Percentile(time, 50),
        FigureText.Percentile(time, 75),
        FigureText.Percentile(time, 90),
        FigureText.Percentile(time, 95),
        FigureText.Percentile(time, 99),
        FigureText.Percentile(time, 99.9),
        FigureText.Ms(time?.MaxMs),
        FigureText.Ms(time?.StandardDeviationMs),
    ];
}
