using System.Text.Json.Serialization;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Joining;

/// <summary>A call site that blocked during the run.</summary>
internal sealed record SiteSide
{
    public required string Kind { get; init; }
    public required string At { get; init; }
    public required string? Via { get; init; }
    public required long Count { get; init; }
    public required TimeSums BlockedMs { get; init; }
    public required IReadOnlyList<string> Endpoints { get; init; }

    /// <summary>The reason why it is allowed; null when it isn't.</summary>
    public string? Allowed { get; init; }

    /// <summary>What the server knows about the place, for the advice.</summary>
    [JsonIgnore]
    public SiteSnapshot? Known { get; init; }

    /// <summary>Whether stack snapshots found it, so that the count is of samples.</summary>
    public bool Sampled { get; init; }

    /// <summary>Whether count and times are lower than the truth.</summary>
    public bool Partial { get; init; }
}
