namespace AsyncProbe.Cli.Statistics;

/// <summary>The middle of a few figures, some of which may not be available.</summary>
internal static class Median
{
    /// <summary>The mean of the two middle values if their number is even; null when there are none.</summary>
    public static double? Calculate(IEnumerable<double?> values)
    {
        var sorted = values.OfType<double>().Order().ToArray();
        return sorted.Length == 0 ? null : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
