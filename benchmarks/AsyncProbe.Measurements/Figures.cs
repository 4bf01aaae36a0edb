using System.Globalization;

namespace AsyncProbe.Measurements;

internal static class Figures
{
    public static double Percentile(this IEnumerable<double> values, double share)
    {
        var sorted = values.Order().ToArray();
        return sorted[Math.Clamp((int)Math.Ceiling(sorted.Length * share) - 1, 0, sorted.Length - 1)];
    }

    public static double Median(this IEnumerable<double> values) => values.Percentile(0.5);

    public static double Number(this HttpResponseMessage response, string header) =>
        double.Parse(response.Headers.GetValues(header).Single(), CultureInfo.InvariantCulture);

    /// <summary>The interval that the median of ordered values lies in, in 95 of 100 series.</summary>
    public static (double Low, double High) IntervalOfMedian(this List<double> ordered)
    {
        // The ranks that as many coin tosses stay between need no assumption about the distribution.
        var beside = (int)Math.Ceiling(0.98 * Math.Sqrt(ordered.Count));
        var middle = ordered.Count / 2;
        return (ordered[Math.Max(0, middle - beside)], ordered[Math.Min(ordered.Count - 1, middle + beside)]);
    }
}
