using System.Globalization;

namespace AsyncProbe.Cli.Results;

internal static class Percentiles
{
    public static string Name(double percent) => "p" + percent.ToString("0.###", CultureInfo.InvariantCulture);
}
