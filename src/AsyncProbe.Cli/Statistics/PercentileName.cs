using System.Globalization;

namespace AsyncProbe.Cli.Statistics;

/// <summary>The name of a percentile, such as p99.9.</summary>
internal static class PercentileName
{
    public static string Format(double percent) => "p" + percent.ToString("0.###", CultureInfo.InvariantCulture);
}
