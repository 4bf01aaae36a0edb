namespace AsyncProbe.Cli.Comparison;

/// <summary>
/// The median of one figure over the rounds, and its ratio to the first session. The interval goes from the lowest to the highest
/// ratio within a round; <see cref="Shown"/> is false when it holds 1, so that nothing is shown either way.
/// </summary>
internal sealed record ComparedFigure(string Name, string Unit, double? Median, double? Ratio, double? RatioLow, double? RatioHigh, bool Shown)
{
    /// <summary>A percentile that in some round had fewer than ten slower requests.</summary>
    public bool LowSample { get; init; }
}
