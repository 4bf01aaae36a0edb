using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Observation;

/// <summary>One line that blocked, across all replicas, in the observed time.</summary>
internal sealed record FleetSite
{
    public required string Kind { get; init; }
    public required string At { get; init; }
    public required string? Via { get; init; }

    /// <summary>How many replicas it blocked on.</summary>
    public required int Replicas { get; init; }
    public required long Count { get; init; }
    public required TimeSums BlockedMs { get; init; }
    public required double? BlockedThreads { get; init; }
    public required IReadOnlyList<string> Endpoints { get; init; }
    public string? Allowed { get; init; }
    public bool Sampled { get; init; }
    public bool Partial { get; init; }

    /// <summary>The replica where it blocks far more than elsewhere.</summary>
    public OddReplica? Odd { get; init; }
}
