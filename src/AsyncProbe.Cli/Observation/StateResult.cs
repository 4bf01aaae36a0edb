using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Observation;

/// <summary>The call sites that a server knows at one moment.</summary>
internal sealed record StateResult
{
    public int Schema { get; init; } = RunResult.CurrentSchema;
    public string Kind { get; init; } = "state";
    public string Tool { get; init; } = ToolVersion.Text;
    public required string Url { get; init; }
    public required DateTimeOffset At { get; init; }
    public required IReadOnlyList<KnownSite> KnownSites { get; init; }

    /// <summary>Null without a baseline.</summary>
    public IReadOnlyList<KnownSite>? NewSites { get; init; }
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];
}
