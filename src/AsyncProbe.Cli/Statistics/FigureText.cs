using System.Globalization;

namespace AsyncProbe.Cli.Statistics;

/// <summary>Formats numbers for people, in the invariant culture.</summary>
internal static class FigureText
{
    public const string NotAvailable = "n/a";

    public static string Count(long count, string noun) => $"{Number(count)} {noun}{(count == 1 ? "" : "s")}";

    public static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    public static string Whole(double? number) => number?.ToString("N0", CultureInfo.InvariantCulture) ?? NotAvailable;

    /// <summary>Three significant digits below 100 ms, then whole milliseconds: more digits would only look exact.</summary>
    public static string Ms(double? ms) => ms switch
    {
        null => NotAvailable,
        < 10 => ms.Value.ToString("0.00", CultureInfo.InvariantCulture),
        < 100 => ms.Value.ToString("0.0", CultureInfo.InvariantCulture),
        _ => ms.Value.ToString("N0", CultureInfo.InvariantCulture),
    };

    /// <summary>Marked when fewer than ten requests were slower, because one more slow request would change it.</summary>
    public static string Percentile(LatencyStatistics? time, double percent)
    {
        double? ms = time is null ? null : percent switch { 50 => time.P50Ms, 75 => time.P75Ms, 90 => time.P90Ms, 95 => time.P95Ms,
            99 => time.P99Ms, _ => time.P999Ms };
        return Ms(ms) + (time?.IsLowSample(percent) == true ? LowSampleMark : "");
    }

    public const string LowSampleMark = "*";

    public const string LowSampleLegend = "* fewer than ten requests were slower, so one more slow request would change it";

    /// <summary>The two largest units.</summary>
    public static string Duration(TimeSpan time)
    {
        FormattableString text = time switch
        {
            { Days: > 0 } => $"{time.Days:N0} d {time.Hours} h",
            { Hours: > 0 } => $"{time.Hours} h {time.Minutes} min",
            { Minutes: > 0 } => $"{time.Minutes} min {time.Seconds} s",
            _ => $"{time.Seconds} s",
        };
        return text.ToString(CultureInfo.InvariantCulture);
    }

    public static string Rate(double? perSecond) => perSecond switch
    {
        null => NotAvailable,
        < 100 => perSecond.Value.ToString("0.0", CultureInfo.InvariantCulture),
        _ => perSecond.Value.ToString("N0", CultureInfo.InvariantCulture),
    };

    public static string Percent(double share) => share switch
    {
        0 => "0 %",
        < 0.001 => "<0.1 %",
        _ => (share * 100).ToString("0.0", CultureInfo.InvariantCulture) + " %",
    };

    public static string Bytes(long bytes) => bytes switch
    {
        < 10_000 => Number(bytes) + " bytes",
        < 1_500_000 => (bytes / 1000).ToString(CultureInfo.InvariantCulture) + " kB",
        < 1_000_000_000 => (bytes / 1_000_000d).ToString("0.0", CultureInfo.InvariantCulture) + " MB",
        _ => (bytes / 1_000_000_000d).ToString("0.0", CultureInfo.InvariantCulture) + " GB",
    };

    /// <summary>Ratios below a tenth are shown as a division, because ×0.00033 is hard to read.</summary>
    public static string Times(double ratio) => ratio switch
    {
        0 => "×0",
        < 0.1 => "÷" + Divisor(ratio),
        _ => "×" + Factor(ratio),
    };

    private static string Factor(double ratio) => ratio.ToString(ratio < 10 ? "0.00" : "N0", CultureInfo.InvariantCulture);

    private static string Divisor(double ratio) =>
        ratio < 0.001 ? ">1,000" : (1 / ratio).ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Requests per second; without a low end it is an upper bound, not a promise.</summary>
    public static string Range(double? low, double? high) => (low, high) switch
    {
        (null, null) => NotAvailable,
        (null, { } bound) => $"≤{Rate(bound)}",
        ({ } a, { } b) when Rate(a) != Rate(b) => $"{Rate(a)}–{Rate(b)}",
        _ => Rate(low),
    };
}
