using System.Text.Json.Serialization;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Stacks;

/// <summary>The versioned JSON of a look, in the style of <see cref="RunJson"/>.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(SafeTextConverter)])]
[JsonSerializable(typeof(LookResult))]
internal sealed partial class LookJson : JsonSerializerContext
{
    /// <summary>Formatted for people to read.</summary>
    public static LookJson Readable => field ??= new(RunJson.ForPeople(Default.Options));
}
