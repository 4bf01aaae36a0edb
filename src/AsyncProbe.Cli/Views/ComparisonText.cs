using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>A comparison's table and sentences, the same in every view.</summary>
internal static class ComparisonText
{
    public static string Heading(ComparisonResult comparison) => comparison.Rounds switch
    {
        1 => "one round of each",
        _ => $"{comparison.Rounds} interleaved rounds{(comparison.FreshServer ? ", the server started afresh for every run" : "")}",
    };

    public static string Legend(ComparisonResult comparison) => Spread(comparison)
        + (comparison.Sessions.Any(session => session.Figures.Any(figure => figure.LowSample)) ? "; " + FigureText.LowSampleLegend : "");

    private static string Spread(ComparisonResult comparison) => comparison.Rounds > 1
        ? "[lowest–highest ratio within a round]; ~ means that the interval includes 1, so the difference may be chance"
        : "a single round gives no interval";

    public static IEnumerable<string[]> Rows(ComparisonResult comparison)
    {
        for (var i = 0; i < comparison.Sessions[0].Figures.Count; i++)
        {
            var figures = comparison.Sessions.Select(session => session.Figures[i]).ToList();
            if (figures.Any(figure => figure.Median is not null))
            {
                yield return [Label(figures[0]), .. figures.Select((figure, column) => Cell(figure, column == 0))];
            }
        }
    }

    public static string Number(ComparedFigure figure) => figure.Unit switch
    {
        "ms" => FigureText.Ms(figure.Median) + (figure.LowSample ? FigureText.LowSampleMark : ""),
        "/s" => FigureText.Rate(figure.Median),
        _ => figure.Median is { } count ? FigureText.Number((long)Math.Round(count)) : FigureText.NotAvailable,
    };

    /// <summary>Both ends in the ratio's own way, as factors or as divisors, with its sign once before them.</summary>
    private static string Interval(double low, double high, bool divisors) => divisors
        // The larger the divisor, the lower the ratio.
        ? $"{FigureText.Divisor(high)}–{FigureText.Divisor(low)}"
        : $"{FigureText.Factor(low)}–{FigureText.Factor(high)}";

    private static string Label(ComparedFigure figure) => figure.Unit is "ms" ? $"{figure.Name}, ms" : figure.Name;

    private static string Cell(ComparedFigure figure, bool first)
    {
        if (first || figure.Ratio is not { } ratio)
        {
            return Number(figure);
        }

        var times = FigureText.Times(ratio);
        var interval = figure is { RatioLow: { } low, RatioHigh: { } high } && (FigureText.Times(low) != times || FigureText.Times(high) != times) ? $" [{Interval(low, high, times[0] == '÷')}]" : "";
        return $"{Number(figure)} ({(figure.Shown || figure.RatioLow is null ? "" : "~ ")}{times}{interval})";
    }
}
