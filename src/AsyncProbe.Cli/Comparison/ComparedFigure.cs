using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Comparison;

/// <summary>
/// The median of one figure over the rounds, and its ratio to the first session. The interval goes from the lowest to the highest
/// ratio within a round; <see cref="Shown"/> is false when it holds 1, so that nothing is shown either way.
/// </summary>
internal sealed record ComparedFigure(
    string Name, string Unit, double? Median, double? Ratio, double? RatioLow, double? RatioHigh, bool Shown)
{
    /// <summary>What a ratio above 1 means; requests a second and the like are simply more.</summary>
    [JsonIgnore]
    public string More { get; init; } = "more";

    /// <summary>What a ratio below 1 means.</summary>
    [JsonIgnore]
    public string Less { get; init; } = "less";

    /// <summary>A percentile that in some round had fewer than ten slower requests.</summary>
    public bool LowSample { get; init; }
}
