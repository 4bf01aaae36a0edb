using Microsoft.Net.Http.Headers;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The two text formats that Prometheus reads.</summary>
internal sealed class PrometheusFormat
{
    private const string OpenMetricsType = "application/openmetrics-text";
    private const string TextType = "text/plain";

    private PrometheusFormat(string contentType, bool isOpenMetrics)
    {
        ContentType = contentType;
        IsOpenMetrics = isOpenMetrics;
    }

    public static PrometheusFormat OpenMetrics { get; } = new(OpenMetricsType + "; version=1.0.0; charset=utf-8", isOpenMetrics: true);

    public static PrometheusFormat Text { get; } = new(TextType + "; version=0.0.4; charset=utf-8", isOpenMetrics: false);

    public string ContentType { get; }

    public bool IsOpenMetrics { get; }

    /// <summary>
    /// Chooses the format for a request that accepts these types. A caller that accepts neither gets the plain text, as Prometheus
    /// recommends.
    /// </summary>
    /// <param name="accept">The values of the Accept header.</param>
    public static PrometheusFormat Choose(IList<string>? accept)
    {
        if (!MediaTypeHeaderValue.TryParseList(accept, out var types))
        {
            return Text;
        }

        var (openMetrics, text) = (0.0, 0.0);
        foreach (var type in types)
        {
            var quality = type.Quality ?? 1;
            if (type.MediaType.Equals(OpenMetricsType, StringComparison.OrdinalIgnoreCase) && VersionOf(type) is null or "1.0.0")
            {
                openMetrics = Math.Max(openMetrics, quality);
            }
            else if (type.MediaType.Equals(TextType, StringComparison.OrdinalIgnoreCase) && VersionOf(type) is null or "0.0.4")
            {
                text = Math.Max(text, quality);
            }
        }

        return openMetrics > 0 && openMetrics >= text ? OpenMetrics : Text;
    }

    private static string? VersionOf(MediaTypeHeaderValue type) =>
        type.Parameters.FirstOrDefault(p => p.Name.Equals("version", StringComparison.OrdinalIgnoreCase))?.Value.ToString().Trim('"');
}
