using System.Globalization;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Formats milliseconds with one decimal place, as in the headers. Small values, which are nearly all, reuse their string.
/// </summary>
internal static class Tenths
{
    private const long MicrosecondsPerTenth = 100;

    private static readonly string?[] s_small = new string?[2000];

    public static string Format(Duration time)
    {
        var tenths = Round(time);
        return tenths < s_small.Length ? s_small[tenths] ??= FormatTenths(tenths) : FormatTenths(tenths);
    }

    /// <summary>The number of tenths of a millisecond, rounded.</summary>
    public static long Round(Duration time) => (time.OrZero().WholeMicroseconds + (MicrosecondsPerTenth / 2)) / MicrosecondsPerTenth;

    private static string FormatTenths(long tenths) => string.Create(CultureInfo.InvariantCulture, $"{tenths / 10}.{tenths % 10}");
}
