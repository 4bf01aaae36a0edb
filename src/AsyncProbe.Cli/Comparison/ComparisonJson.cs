using System.Text.Json.Serialization;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Comparison;

/// <summary>The versioned JSON of sweeps and comparisons, in the style of <see cref="RunJson"/>.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(SafeTextConverter)])]
[JsonSerializable(typeof(SweepResult))]
[JsonSerializable(typeof(ComparisonResult))]
internal sealed partial class ComparisonJson : JsonSerializerContext
{
    /// <summary>Formatted for people to read.</summary>
    public static ComparisonJson Readable => field ??= new(RunJson.ForPeople(Default.Options));
}
