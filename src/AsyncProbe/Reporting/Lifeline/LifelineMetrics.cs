using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>The metrics for Prometheus, as the lifeline serves them. Callers within 250 ms of each other share one text.</summary>
internal sealed class LifelineMetrics(PrometheusText prometheus)
{
    public const string Path = "/metrics";

    private static Duration KeptFor => Duration.FromMilliseconds(250);

    private PrometheusFormat? _format;
    private byte[] _text = [];
    private Timestamp _madeAt;

    public LifelineAnswer Answer(LifelineRequest request, string? reader)
    {
        var format = PrometheusFormat.Choose(request.Accept is { } accept ? [accept] : null);
        if (_format != format || _madeAt.Elapsed() > KeptFor)
        {
            (_text, _format) = (prometheus.MakeCopy(format), format);
            _madeAt = Timestamp.Now();
        }

        return new LifelineAnswer(200, format.ContentType, _text, LifelineOrigins.Headers(reader));
    }
}
