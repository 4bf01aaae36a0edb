using System.Text;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>How a figure behaves. An up-down counter counts as a gauge, as in Prometheus.</summary>
internal enum MetricType
{
    Histogram,
    Counter,
    Gauge,
}

/// <summary>One metric. The meter and the Prometheus text share it, so their names can't differ.</summary>
/// <param name="type">How it behaves.</param>
/// <param name="name">The name on the meter.</param>
/// <param name="unit">The unit in OpenTelemetry's notation; null for none.</param>
/// <param name="description">One sentence.</param>
internal sealed class MetricDefinition(MetricType type, string name, string? unit, string description)
{
    public MetricType Type => type;

    public string Name => name;

    public string? Unit => unit;

    public string Description => description;

    /// <summary>The unit at the end of the Prometheus name; null if there is none.</summary>
    public string? PrometheusUnit { get; } = unit switch
    {
        "s" => "seconds",
        "1" when type == MetricType.Gauge => "ratio",
        _ => null,
    };

    /// <summary>
    /// The name after OpenTelemetry's translation for Prometheus, without the suffixes <c>_total</c>, <c>_sum</c> and <c>_count</c> of the
    /// samples.
    /// </summary>
    public string PrometheusName => field ??= PrometheusUnit is { } suffix ? $"{Translate(name)}_{suffix}" : Translate(name);

    /// <summary>The Prometheus name as UTF-8.</summary>
    public byte[] PrometheusNameBytes => field ??= Encoding.UTF8.GetBytes(PrometheusName);

    /// <summary>Replaces the characters that Prometheus doesn't allow in the name of a metric or tag.</summary>
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
