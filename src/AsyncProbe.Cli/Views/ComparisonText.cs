using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views;

/// <summary>A comparison's table and sentences, the same in every view.</summary>
internal static class ComparisonText
{
    public const string FirstColumn = "median of rounds";

    public static string Heading(ComparisonResult comparison) => comparison.Rounds switch
    {
        1 => "one round of each",
        _ => $"{comparison.Rounds} interleaved rounds{(comparison.FreshServer ? ", the server started afresh for every run" : "")}",
    };

    public static string Legend(ComparisonResult comparison) => Spread(comparison)
        + (comparison.Sessions.Any(session => session.Figures.Any(figure => figure.LowSample)) ? "; " + FigureText.LowSampleLegend : "");

    public static string Against(ComparisonResult comparison) => $"against {comparison.Sessions[0].Name}";

    /// <summary>The rows of the first session and some later ones.</summary>
    public static IEnumerable<string[]> Rows(ComparisonResult comparison, IReadOnlyList<ComparedSession> later)
    {
        for (var i = 0; i < comparison.Sessions[0].Figures.Count; i++)
        {
            var first = comparison.Sessions[0].Figures[i];
            if (comparison.Sessions.Any(session => session.Figures[i].Median is not null))
            {
                yield return [Label(first), Number(first),
                    .. later.SelectMany(session => new[] { Number(session.Figures[i]), Ratio(session.Figures[i]) })];
            }
        }
    }

    public static string Number(ComparedFigure figure) => figure.Unit switch
    {
        "ms" => FigureText.Ms(figure.Median) + (figure.LowSample ? FigureText.LowSampleMark : ""),
        "/s" => FigureText.Rate(figure.Median),
        _ => figure.Median is { } count ? FigureText.Number((long)Math.Round(count)) : FigureText.NotAvailable,
    };

    private static string Spread(ComparisonResult comparison) => comparison.Rounds > 1
        ? "in brackets the lowest and highest ratio within a round; where they lie on both sides of 1, the difference may be chance"
        : "a single round cannot tell a difference from chance";

    private static string Label(ComparedFigure figure) => figure.Unit is "ms" ? $"{figure.Name}, ms" : figure.Name;

    private static string Ratio(ComparedFigure figure) =>
        figure.Ratio is { } ratio ? RatioText.Describe(ratio, figure.RatioLow, figure.RatioHigh, figure.More, figure.Less) : "";
}
