namespace AsyncProbe.Cli.Results;

/// <summary>What the run did to one endpoint of the server: differences between the snapshots at its begin and end.</summary>
internal sealed record EndpointSide
{
    public required string Endpoint { get; init; }
    public required long Requests { get; init; }
    public required long FromCache { get; init; }
    public required TimeSums HeldMs { get; init; }
    public required TimeSums CpuMs { get; init; }
    public required TimeSums BlockedMs { get; init; }
    public required TimeSums WaitingMs { get; init; }
    public required TimeSums GcMs { get; init; }

    /// <summary>Requests a second between the two snapshots, by the server's clock.</summary>
    public required double? ReachedPerSecond { get; init; }
    public required CeilingFigures? CeilingPerSecond { get; init; }
    public required string? WorstSite { get; init; }
    public required string? WorstSiteKind { get; init; }
    public required string? Verdict { get; init; }
    public required string? Advice { get; init; }
}
