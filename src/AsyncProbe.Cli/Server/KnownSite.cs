namespace AsyncProbe.Cli.Server;

/// <summary>A call site with what it takes to find it again: in another run, and in the sources.</summary>
internal sealed record KnownSite
{
    public required string Kind { get; init; }

    /// <summary>Type and method.</summary>
    public required string Method { get; init; }

    /// <summary>From the project's folder on; null when the server does not know.</summary>
    public string? File { get; init; }
    public int? Line { get; init; }
    public string? Via { get; init; }
    public required IReadOnlyList<string> Endpoints { get; init; }

    /// <summary>In the run; what the server counted until then where none of the run's requests was looked at.</summary>
    public required long Count { get; init; }
    public double? MeanMs { get; init; }
    public bool Sampled { get; init; }

    /// <summary>Not all requests were looked at, so the count is less than what happened.</summary>
    public bool Partial { get; init; }

    /// <summary>None of the run's requests was looked at, and the figures are of those before.</summary>
    public bool Earlier { get; init; }

    /// <summary>Why somebody has allowed it; null when nobody has.</summary>
    public string? Allowed { get; init; }

    /// <summary>What to await instead; null when the server knows nothing.</summary>
    public string? Awaitable { get; init; }

    public string Describe() => $"{Method}{Place} [{Kind}] of {string.Join(", ", Endpoints)}";

    private string Place => File is null ? "" : $" ({File[(File.LastIndexOf('/') + 1)..]}{(Line is null ? "" : ":" + Line)})";
}
