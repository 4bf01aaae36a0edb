using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Analyzers.Reports;

/// <summary>A call site as a report has it.</summary>
internal sealed class ReportedSite
{
    public WaitKind Kind { get; set; }

    /// <summary>Type and method, without a namespace.</summary>
    public string Method { get; set; } = "";

    /// <summary>From the project's folder on; null when the server does not know.</summary>
    public string? File { get; set; }

    /// <summary>From 1; 0 when the server does not know.</summary>
    public int Line { get; set; }

    /// <summary>The deepest call of a library.</summary>
    public string? Via { get; set; }

    public EndpointNames Endpoints { get; } = new();

    public long Count { get; set; }

    public double? MeanMs { get; set; }

    public bool Sampled { get; set; }

    public bool Partial { get; set; }

    /// <summary>Why somebody has allowed it; null when nobody has.</summary>
    public string? Allowed { get; set; }

    /// <summary>What to await instead; null when the server knows nothing.</summary>
    public string? Awaitable { get; set; }

    /// <summary>The line's own text then; null when the report has none.</summary>
    public string? Source { get; set; }

    /// <summary>The same line in another run, replica or report.</summary>
    public void Add(ReportedSite other)
    {
        var count = Count + other.Count;
        MeanMs = count == 0 || MeanMs is null || other.MeanMs is null ? MeanMs
            ?? other.MeanMs : ((MeanMs * Count) + (other.MeanMs * other.Count)) / count;
        Count = count;
        Endpoints.Add(other.Endpoints);
        Sampled |= other.Sampled;
        Partial |= other.Partial;
        Awaitable ??= other.Awaitable;
        Source ??= other.Source;
    }
}
