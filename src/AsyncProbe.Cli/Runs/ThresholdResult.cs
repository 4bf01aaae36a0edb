using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Runs;

/// <summary>A threshold and whether it holds. <see cref="Actual"/> is null when there was no sample, which does not hold.</summary>
/// <param name="Expression">As it was typed.</param>
/// <param name="Actual">The figure.</param>
/// <param name="Holds">Whether it holds.</param>
/// <param name="ServerFigureMissing">The server did not give the figure.</param>
/// <param name="Note">What the figure is only a part of, or rests on too little; null when there is nothing to say.</param>
internal sealed record ThresholdResult(string Expression, double? Actual, bool Holds, bool ServerFigureMissing, string? Note = null)
{
    /// <summary>Of the actual figure; null where it is a share.</summary>
    public string? Unit { get; init; }

    /// <summary>It says how many requests may fail, so failures are not an error by themselves.</summary>
    [JsonIgnore]
    public bool IsAboutFailures { get; init; }
}
