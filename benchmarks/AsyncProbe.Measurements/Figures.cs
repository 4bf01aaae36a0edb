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

}
