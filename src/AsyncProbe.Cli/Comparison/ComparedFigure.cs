using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Comparison;

/// <summary>
/// The median of one figure over the rounds, and its ratio to the first session. The interval goes from the lowest to the highest ratio
/// within a round; <see cref="Shown"/> is false when it contains 1, because then neither direction is shown.
/// </summary>
internal sealed record ComparedFigure(
    string Name, string Unit, double? Median, double? Ratio, double? RatioLow, double? RatioHigh, bool Shown)
{
    /// <summary>The word for a ratio above 1; for requests per second and similar figures it is simply "more".</summary>
    [JsonIgnore]
    public string More { get; init; } = "more";

    /// <summary>The word for a ratio below 1.</summary>
    [JsonIgnore]
    public string Less { get; init; } = "less";

    /// <summary>Whether this is a percentile that had fewer than ten slower requests in some round.</summary>
    public bool LowSample { get; init; }
}
