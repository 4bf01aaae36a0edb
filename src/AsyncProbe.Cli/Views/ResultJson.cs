using System.Text.Encodings.Web;
using System.Text.Json.Serialization;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Stacks;

namespace AsyncProbe.Cli.Views;

/// <summary>The versioned JSON of all results: camelCase, units in names, null where a figure is not available.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    Converters = [typeof(SafeTextConverter)])]
[JsonSerializable(typeof(RunResult))]
[JsonSerializable(typeof(SweepResult))]
[JsonSerializable(typeof(ComparisonResult))]
[JsonSerializable(typeof(ObservationResult))]
[JsonSerializable(typeof(StateResult))]
[JsonSerializable(typeof(LookResult))]
internal sealed partial class ResultJson : JsonSerializerContext
{
    /// <summary>Formatted for people to read: without escaping quotes in names and arrows in sentences.</summary>
    public static ResultJson Readable => field ??= new(new(Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
}
