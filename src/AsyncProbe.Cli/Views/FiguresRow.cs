using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>A row of the table of requests, the same in the terminal and in HTML.</summary>
internal static class FiguresRow
{
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
