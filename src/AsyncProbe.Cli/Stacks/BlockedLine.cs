namespace AsyncProbe.Cli.Stacks;

/// <summary>A line at which pool threads were blocked.</summary>
internal sealed record BlockedLine
{
    /// <summary>Method, file and line, as far as they are known.</summary>
    public required string At { get; init; }
    public required string Method { get; init; }
    public string? File { get; init; }
    public int? Line { get; init; }

    /// <summary>How they waited.</summary>
    public required string Kind { get; init; }

    /// <summary>What to write instead.</summary>
    public required string Remedy { get; init; }

    /// <summary>The number of windows in which a thread was seen there, added up over all threads.</summary>
    public required int Hits { get; init; }

    /// <summary>How long threads were blocked there during the sampled time.</summary>
    public required double BlockedMs { get; init; }

    /// <summary>How many threads were blocked there on average; null with too few hits.</summary>
    public double? Threads { get; init; }
}
