namespace AsyncProbe.Cli.Joining;

/// <summary>A call site with everything needed to find it again, in another run and in the sources.</summary>
internal sealed record KnownSite
{
    public required string Kind { get; init; }

    /// <summary>Type and method.</summary>
    public required string Method { get; init; }

    /// <summary>The path from the project's folder on; null when the server doesn't know it.</summary>
    public string? File { get; init; }
    public int? Line { get; init; }
    public string? Via { get; init; }
    public required IReadOnlyList<string> Endpoints { get; init; }

    /// <summary>The count in the run, or the server's count until then if none of the run's requests was watched.</summary>
    public required long Count { get; init; }
    public double? MeanMs { get; init; }
    public bool Sampled { get; init; }

    /// <summary>Whether not all requests were watched, so that the count is lower than the truth.</summary>
    public bool Partial { get; init; }

    /// <summary>Whether none of the run's requests was watched, so that the figures describe earlier ones.</summary>
    public bool Earlier { get; init; }

    /// <summary>The reason why it is allowed; null when it isn't.</summary>
    public string? Allowed { get; init; }

    /// <summary>What to await instead; null when the server has no suggestion.</summary>
    public string? Awaitable { get; init; }

    public string Describe() => $"{Method}{Place} [{Kind}] of {string.Join(", ", Endpoints)}";

    private string Place => File is null ? "" : $" ({File[(File.LastIndexOf('/') + 1)..]}{(Line is null ? "" : ":" + Line)})";
}
