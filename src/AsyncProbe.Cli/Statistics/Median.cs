namespace AsyncProbe.Cli.Statistics;

/// <summary>The middle of a few figures, of which some may not be available.</summary>
internal static class Median
{
    /// <summary>The mean of the two in the middle where their number is even; null when there is none.</summary>
    public static double? Calculate(IEnumerable<double?> values)
    {
        var sorted = values.OfType<double>().Order().ToArray();
        return sorted.Length == 0 ? null : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
