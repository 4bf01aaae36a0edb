using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Runs;

/// <summary>
/// A threshold and whether it holds. <see cref="Actual"/> is null when there was no sample; the threshold then doesn't hold.
/// </summary>
/// <param name="Expression">The threshold as typed.</param>
/// <param name="Actual">The measured figure.</param>
/// <param name="Holds">Whether it holds.</param>
/// <param name="ServerFigureMissing">Whether the server didn't provide the figure.</param>
/// <param name="Note">Why the figure may be incomplete or rest on too few samples; null for a reliable figure.</param>
internal sealed record ThresholdResult(string Expression, double? Actual, bool Holds, bool ServerFigureMissing, string? Note = null)
{
    /// <summary>The unit of the actual figure; null for a share.</summary>
    public string? Unit { get; init; }

    /// <summary>Whether the threshold says how many requests may fail, so that failures alone are not an error.</summary>
    [JsonIgnore]
    public bool IsAboutFailures { get; init; }
}
