using System.Globalization;

namespace AsyncProbe.Common;

/// <summary>Formats figures as a person would write them: with a unit, and without meaningless digits.</summary>
internal static class Words
{
    public static string Milliseconds(Duration time)
    {
        var ms = time.TotalMilliseconds;
        return ms switch
        {
            >= 1_000_000 => Decimals(ms / 1000, 1, " s"),
            >= 10_000 => Decimals(ms / 1000, 10, " s"),
            >= 10 => Decimals(ms, 1, " ms"),
            >= 1 => Decimals(ms, 10, " ms"),
            _ => Decimals(ms, 100, " ms"),
        };
    }

    public static string PerSecond(double rate, string noun) => $"{Rate(rate)} {noun}s a second";

    /// <summary>The rate without the unit, for the first of two rates.</summary>
    public static string Rate(double rate) => rate switch
    {
        >= 100 => string.Create(CultureInfo.InvariantCulture, $"{RoundTo2Digits(rate):#,0}"),
        >= 10 => Decimals(rate, 1, ""),
        _ => Decimals(rate, 10, ""),
    };

    public static string Times(double factor) => "×" + Decimals(factor, factor >= 10 ? 1 : 10, "");

    public static string Count(long count, string noun)
    {
        var plural = count == 1 ? "" : "s";
        return $"{Number(count)} {noun}{plural}";
    }

    public static string Number(long count) => count.ToString(count < 1000 ? "D" : "#,0", CultureInfo.InvariantCulture);

    /// <summary>
    /// Uses at most as many decimal places as <paramref name="perOne"/> has zeros. A format like 0.## takes five times as long, and a
    /// report contains thousands of figures.
    /// </summary>
    private static string Decimals(double value, int perOne, string unit)
    {
        var (whole, rest) = Math.DivRem((long)Math.Round(value * perOne, MidpointRounding.AwayFromZero), perOne);
        if (rest == 0)
        {
            return whole < 1000
                ? string.Create(CultureInfo.InvariantCulture, $"{whole}{unit}")
                : string.Create(CultureInfo.InvariantCulture, $"{whole:#,0}{unit}");
        }

        // With two decimal places, either of them may be zero.
        var isOnePlace = perOne == 10 || rest % 10 == 0;
        return isOnePlace
            ? string.Create(CultureInfo.InvariantCulture, $"{whole}.{(perOne == 10 ? rest : rest / 10)}{unit}")
            : string.Create(CultureInfo.InvariantCulture, $"{whole}.{rest:00}{unit}");
    }

    private static double RoundTo2Digits(double value)
    {
        var scale = Math.Pow(10, Math.Floor(Math.Log10(value)) - 1);
        return Math.Round(value / scale) * scale;
    }
}
