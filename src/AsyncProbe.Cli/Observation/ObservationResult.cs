using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Observation;

/// <summary>What the replicas of a service did in the observed time, without the client's side.</summary>
internal sealed record ObservationResult() : SavedResult("observation")
{
    public required DateTimeOffset StartedAt { get; init; }
    public required double Seconds { get; init; }
    public bool Interrupted { get; init; }
    public required IReadOnlyList<ReplicaSide> Replicas { get; init; }

    /// <summary>The most blocked first.</summary>
    public IReadOnlyList<FleetEndpoint> Endpoints { get; init; } = [];
    public IReadOnlyList<FleetSite> Sites { get; init; } = [];

    /// <summary>Sentences about individual replicas, the worst first.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];

    public int Observed => Replicas.Count(replica => replica.IsObserved);
}
