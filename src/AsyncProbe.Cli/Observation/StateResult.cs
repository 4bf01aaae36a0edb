using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Observation;

/// <summary>The call sites that a server knows at one moment.</summary>
internal sealed record StateResult() : SavedResult("state")
{
    public required string Url { get; init; }
    public required DateTimeOffset At { get; init; }
    public required IReadOnlyList<KnownSite> KnownSites { get; init; }

    /// <summary>Null without a baseline.</summary>
    public IReadOnlyList<KnownSite>? NewSites { get; init; }
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];
}
