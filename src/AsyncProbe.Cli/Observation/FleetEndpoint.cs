using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Observation;

/// <summary>One endpoint across all replicas, in the observed time.</summary>
internal sealed record FleetEndpoint
{
    public required string Endpoint { get; init; }

    /// <summary>How many replicas served it.</summary>
    public required int Replicas { get; init; }
    public required long Requests { get; init; }
    public required double RequestsPerSecond { get; init; }
    public required TimeSums HeldMs { get; init; }
    public required TimeSums CpuMs { get; init; }
    public required TimeSums CpuWaitMs { get; init; }
    public required TimeSums GcMs { get; init; }
    public required TimeSums BlockedMs { get; init; }

    /// <summary>How many threads it kept blocked on average, on all replicas together.</summary>
    public required double? BlockedThreads { get; init; }

    /// <summary>The verdict of the busiest replica that has one.</summary>
    public required string? Verdict { get; init; }

    /// <summary>A replica where a request is blocked (or, failing that, held) much longer than elsewhere.</summary>
    public OddReplica? Odd { get; init; }
}
