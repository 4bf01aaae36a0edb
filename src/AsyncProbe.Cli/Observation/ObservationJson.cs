using System.Text.Json.Serialization;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Observation;

/// <summary>The versioned JSON of an observation, in the style of <see cref="RunJson"/>.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(SafeTextConverter)])]
[JsonSerializable(typeof(ObservationResult))]
[JsonSerializable(typeof(StateResult))]
internal sealed partial class ObservationJson : JsonSerializerContext
{
    /// <summary>Formatted for people to read.</summary>
    public static ObservationJson Readable => field ??= new(RunJson.ForPeople(Default.Options));
}
