using System.Globalization;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Views;

internal static class ThresholdText
{
    public static string Actual(ThresholdResult threshold) => threshold switch
    {
        { Actual: { } actual } => "actual " + actual.ToString(Math.Abs(actual) < 1 ? "0.######" : "0.###", CultureInfo.InvariantCulture)
            + (threshold.Note is { } note ? $" ({note})" : ""),
        { ServerFigureMissing: true } => "the server's figure is not available",
        _ => "no sample",
    };
}
