using System.Globalization;

namespace AsyncProbe.Cli.Statistics;

/// <summary>Describes a ratio in words: "13.0 × faster (7.9 to 25)".</summary>
internal static class RatioText
{
    public const string NoDifference = "no significant difference";

    /// <summary>Beyond this ratio, the smaller figure is close to nothing and the exact ratio is chance.</summary>
    private const double Most = 1000;

    /// <param name="ratio">The ratio of the median to that of the first session.</param>
    /// <param name="low">The lowest ratio within a round; null with a single round.</param>
    /// <param name="high">The highest ratio within a round.</param>
    /// <param name="more">The word for a ratio above 1.</param>
    /// <param name="less">The word for a ratio below 1.</param>
    public static string Describe(double ratio, double? low, double? high, string more, string less)
    {
        if (low <= 1 && high >= 1)
        {
            return NoDifference;
        }

        if (ratio == 0)
        {
            return "none left";
        }

        var (word, factor) = ratio >= 1 ? (more, ratio) : (less, 1 / ratio);
        var text = Factor(factor);
        if (text == "1.00")
        {
            return "about the same";
        }

        if (factor > Most)
        {
            return $"more than {Text(Most, "N0")} × {word}";
        }

        var (from, to) = ratio >= 1 ? (low, high) : (1 / high, 1 / low);
        var interval = from is { } a && to is { } b && (Bound(a) != Bound(b) || Bound(a) != Bound(factor))
            ? $" ({Bound(a)} to {Bound(b)})"
            : "";
        return $"{text} × {word}{interval}";
    }

    private static string Factor(double factor) => Text(factor, factor < 2 ? "0.00" : factor < 100 ? "0.0" : "N0");

    /// <summary>Formats an interval's end with one digit less than the figure, because it is less certain.</summary>
    private static string Bound(double factor) =>
        factor > Most ? $"more than {Text(Most, "N0")}" : Text(factor, factor < 2 ? "0.00" : factor < 10 ? "0.0" : "N0");

    private static string Text(double factor, string format) =>
        factor.ToString(format, CultureInfo.InvariantCulture);
}
