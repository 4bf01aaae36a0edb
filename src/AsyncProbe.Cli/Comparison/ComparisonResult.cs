using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Comparison;

/// <summary>Several sessions run in turn, or several saved runs.</summary>
internal sealed record ComparisonResult() : SavedResult("comparison")
{
    public required int Rounds { get; init; }
    public required bool FreshServer { get; init; }
    public required IReadOnlyList<ComparedSession> Sessions { get; init; }
    public required string Conclusion { get; init; }
    public IReadOnlyList<string> Predictions { get; init; } = [];
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];
    public IReadOnlyList<string> Warnings { get; init; } = [];
    public bool Interrupted { get; init; }
}
