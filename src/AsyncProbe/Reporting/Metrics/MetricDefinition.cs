using System.Text;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>How a figure behaves. An up-down counter is a gauge: Prometheus knows no other name for it.</summary>
internal enum MetricType
{
    Histogram,
    Counter,
    Gauge,
}

/// <summary>One metric, for the meter and for Prometheus alike, so that the two cannot differ in a name.</summary>
/// <param name="type">How it behaves.</param>
/// <param name="name">As the meter names it.</param>
/// <param name="unit">As OpenTelemetry writes units; null for none.</param>
/// <param name="description">One sentence.</param>
internal sealed class MetricDefinition(MetricType type, string name, string? unit, string description)
{
    public MetricType Type => type;

    public string Name => name;

    public string? Unit => unit;

    public string Description => description;

    /// <summary>The unit at the end of the name in Prometheus; null where there is none.</summary>
    public string? PrometheusUnit { get; } = unit switch
    {
        "s" => "seconds",
        "1" when type == MetricType.Gauge => "ratio",
        _ => null,
    };

    /// <summary>
    /// The name that OpenTelemetry's translation for Prometheus makes of it, without the <c>_total</c>, <c>_sum</c> and <c>_count</c> of
    /// the samples.
    /// </summary>
    public string PrometheusName => field ??= PrometheusUnit is { } suffix ? $"{Translate(name)}_{suffix}" : Translate(name);

    /// <summary>The same as UTF-8.</summary>
    public byte[] PrometheusNameBytes => field ??= Encoding.UTF8.GetBytes(PrometheusName);

    /// <summary>A name of a metric or of a tag with the characters that Prometheus takes.</summary>
    public static string Translate(string name)
    {
        var text = new StringBuilder(name.Length);
        foreach (var letter in name)
        {
            text.Append(char.IsAsciiLetterOrDigit(letter) ? letter : '_');
        }

        return text.ToString();
    }
}
