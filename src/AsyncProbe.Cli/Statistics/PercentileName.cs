using System.Globalization;

namespace AsyncProbe.Cli.Statistics;

internal static class PercentileName
{
    public static string Name(double percent) => "p" + percent.ToString("0.###", CultureInfo.InvariantCulture);
}
