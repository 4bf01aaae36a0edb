using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Comparison;

/// <summary>One column of a comparison: medians over its rounds, and ratios to the first session.</summary>
internal sealed record ComparedSession
{
    public required string Name { get; init; }
    public required IReadOnlyList<RunResult> Rounds { get; init; }
    public required IReadOnlyList<ComparedFigure> Figures { get; init; }
}
