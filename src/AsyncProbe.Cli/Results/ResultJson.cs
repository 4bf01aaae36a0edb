using System.Text.Json;
using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Results;

/// <summary>The versioned JSON of results: camelCase, units in names, null where a figure is not available.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(SafeTextConverter)])]
[JsonSerializable(typeof(RunResult))]
[JsonSerializable(typeof(SweepResult))]
[JsonSerializable(typeof(ComparisonResult))]
internal sealed partial class ResultJson : JsonSerializerContext
{
    /// <summary>For people to read: no escapes for quotes in names and arrows in sentences.</summary>
    public static ResultJson Readable => field ??= new(new JsonSerializerOptions(Default.Options)
    {
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
