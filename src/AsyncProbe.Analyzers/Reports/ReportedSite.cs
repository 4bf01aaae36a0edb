using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Analyzers.Reports;

/// <summary>A call site from a report.</summary>
internal sealed class ReportedSite
{
    public WaitKind Kind { get; set; }

    /// <summary>Type and method, without the namespace.</summary>
    public string Method { get; set; } = "";

    /// <summary>The path from the project's folder on; null when the server doesn't know it.</summary>
    public string? File { get; set; }

    /// <summary>1-based; 0 when the server doesn't know it.</summary>
    public int Line { get; set; }

    /// <summary>The innermost library call.</summary>
    public string? Via { get; set; }

    public EndpointNames Endpoints { get; } = new();

    public long Count { get; set; }

    public double? MeanMs { get; set; }

    public bool Sampled { get; set; }

    public bool Partial { get; set; }

    /// <summary>Whether the run watched none of its waits, so that the count is the server's until then.</summary>
    public bool Earlier { get; set; }

    /// <summary>The server's address; null when the report doesn't have it.</summary>
    public string? Server { get; set; }

    /// <summary>Why it is allowed; null when it isn't.</summary>
    public string? Allowed { get; set; }

    /// <summary>What to await instead; null when the server has no suggestion.</summary>
    public string? Awaitable { get; set; }

    /// <summary>The text of the line when it was measured; null when the report doesn't have it.</summary>
    public string? Source { get; set; }

    /// <summary>Adds the figures of the same line from another run, replica or report.</summary>
    public void AddFigures(ReportedSite other)
    {
        var count = Count + other.Count;
        MeanMs = count == 0 || MeanMs is null || other.MeanMs is null ? MeanMs
            ?? other.MeanMs : ((MeanMs * Count) + (other.MeanMs * other.Count)) / count;
        Count = count;
        Sampled |= other.Sampled;
    }

    /// <summary>Adds what else is known about the line.</summary>
    public void AddFacts(ReportedSite other)
    {
        Endpoints.Add(other.Endpoints);
        Partial |= other.Partial;
        Awaitable ??= other.Awaitable;
        Source ??= other.Source;
    }
}
