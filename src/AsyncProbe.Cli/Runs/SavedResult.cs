using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Runs;

/// <summary>A result that can be saved: its JSON begins with these fields.</summary>
internal abstract record SavedResult([property: JsonPropertyOrder(-2)] string Kind)
{
    public const int CurrentSchema = 1;

    /// <summary>Its number changes when a field changes its meaning or is removed.</summary>
    [JsonPropertyOrder(-3)]
    public int Schema { get; init; } = CurrentSchema;

    [JsonPropertyOrder(-1)]
    public string Tool { get; init; } = ToolVersion.Text;
}
