using System.Globalization;
using AsyncProbe.Requests;

namespace AsyncProbe.Reporting;

/// <summary>Figures as a person writes them: with a unit, and with no more digits than they mean.</summary>
internal static class Words
{
    public static string Milliseconds(long nanoseconds)
    {
        var ms = nanoseconds / (double)Nanoseconds.PerMillisecond;
        return ms switch
        {
            >= 10_000 => Format($"{ms / 1000:0.#} s"),
            >= 10 => Format($"{ms:0} ms"),
            >= 1 => Format($"{ms:0.#} ms"),
            _ => Format($"{ms:0.##} ms"),
        };
    }

    public static string PerSecond(double rate) => rate switch
    {
        >= 100 => Format($"{RoundTo2Digits(rate):#,0} requests a second"),
        >= 10 => Format($"{rate:0} requests a second"),
        _ => Format($"{rate:0.#} requests a second"),
    };

    public static string Times(double factor) => factor >= 10 ? Format($"×{factor:0}") : Format($"×{factor:0.#}");

    public static string Count(long count, string noun) => Format($"{count:#,0} {noun}{(count == 1 ? "" : "s")}");

    private static double RoundTo2Digits(double value)
    {
        var scale = Math.Pow(10, Math.Floor(Math.Log10(value)) - 1);
        return Math.Round(value / scale) * scale;
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
