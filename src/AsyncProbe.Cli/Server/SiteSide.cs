using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Server;

/// <summary>A call site that blocked during the run.</summary>
internal sealed record SiteSide
{
    public required string Kind { get; init; }
    public required string At { get; init; }
    public required string? Via { get; init; }
    public required long Count { get; init; }
    public required TimeSums BlockedMs { get; init; }
    public required IReadOnlyList<string> Endpoints { get; init; }

    /// <summary>Why somebody has allowed it; null when nobody has.</summary>
    public string? Allowed { get; init; }

    /// <summary>What the server knows of the place, for the advice.</summary>
    [JsonIgnore]
    public SiteSnapshot? Known { get; init; }

    /// <summary>Found by stack snapshots: the count is of samples.</summary>
    public bool Sampled { get; init; }

    /// <summary>Count and times are less than what happened.</summary>
    public bool Partial { get; init; }
}
