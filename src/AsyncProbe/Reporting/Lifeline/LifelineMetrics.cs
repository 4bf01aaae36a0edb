using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>The metrics for Prometheus, as the lifeline serves them.</summary>
internal sealed class LifelineMetrics(PrometheusText prometheus)
{
    public const string Path = "/metrics";

    private readonly KeptText<PrometheusFormat, byte[]> _text = new(Duration.FromMilliseconds(250));

    public LifelineAnswer Answer(LifelineRequest request, string? reader)
    {
        var format = PrometheusFormat.Choose(request.Accept is { } accept ? [accept] : null);
        var text = _text.Get(format, () => prometheus.MakeCopy(format));
        return new LifelineAnswer(200, format.ContentType, text, LifelineOrigins.Headers(reader));
    }
}
