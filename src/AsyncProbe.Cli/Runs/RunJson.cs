using System.Text.Json;
using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Runs;

/// <summary>The versioned JSON of a run: camelCase, units in names, null where a figure is not available.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(SafeTextConverter)])]
[JsonSerializable(typeof(RunResult))]
internal sealed partial class RunJson : JsonSerializerContext
{
    /// <summary>Formatted for people to read.</summary>
    public static RunJson Readable => field ??= new(ForPeople(Default.Options));

    /// <summary>The same options, without escaping quotes in names and arrows in sentences.</summary>
    public static JsonSerializerOptions ForPeople(JsonSerializerOptions options) =>
        new(options) { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
}
