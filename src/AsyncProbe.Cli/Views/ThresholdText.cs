using System.Globalization;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Views;

/// <summary>The figure that a threshold was judged on, with its unit.</summary>
internal static class ThresholdText
{
    public static string Actual(ThresholdResult threshold) => threshold switch
    {
        { Actual: { } actual } =>
            actual.ToString(Math.Abs(actual) switch { < 1 => "0.######", < 100 => "0.###", _ => "#,0.#" }, CultureInfo.InvariantCulture)
            + (threshold.Unit is { } unit ? " " + unit : "")
            + (threshold.Note is { } note ? $" ({note})" : ""),
        { ServerFigureMissing: true } => "the server's figure is not available",
        _ => "no sample",
    };
}
