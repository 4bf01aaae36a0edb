using System.Globalization;

namespace AsyncProbe.Cli.Views;

/// <summary>Numbers as people read them, in the invariant culture.</summary>
internal static class Text
{
    public const string NotAvailable = "n/a";

    public static string Count(long count, string noun) => $"{Number(count)} {noun}{(count == 1 ? "" : "s")}";

    public static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Three significant places below 100 ms, then whole milliseconds: what a reader can use.</summary>
    public static string Ms(double? ms) => ms switch
    {
        null => NotAvailable,
        < 10 => ms.Value.ToString("0.00", CultureInfo.InvariantCulture),
        < 100 => ms.Value.ToString("0.0", CultureInfo.InvariantCulture),
        _ => ms.Value.ToString("N0", CultureInfo.InvariantCulture),
    };

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

    /// <summary>A tenth and less as a division: nobody sees at once how much ×0.00033 is.</summary>
    public static string Times(double ratio) => ratio switch
    {
        0 => "×0",
        < 0.001 => "÷>1,000",
        < 0.1 => "÷" + (1 / ratio).ToString("N0", CultureInfo.InvariantCulture),
        < 10 => "×" + ratio.ToString("0.00", CultureInfo.InvariantCulture),
        _ => "×" + ratio.ToString("N0", CultureInfo.InvariantCulture),
    };
}
