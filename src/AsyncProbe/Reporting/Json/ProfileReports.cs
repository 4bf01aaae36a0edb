using System.Text.Json.Serialization;

namespace AsyncProbe.Reporting.Json;

/// <summary>A speedscope profile (https://www.speedscope.app/file-format-schema.json).</summary>
internal sealed record SpeedscopeReport(
    [property: JsonPropertyName("$schema")] string Schema,
    string Exporter,
    SharedFramesReport Shared,
    IReadOnlyList<SampledProfileReport> Profiles);

internal sealed record SharedFramesReport(IReadOnlyList<FrameReport> Frames);

/// <summary>Stacks, as indexes of frames, and what each of them weighs.</summary>
internal sealed record SampledProfileReport(
    string Type, string Name, string Unit, double StartValue, double EndValue, IReadOnlyList<IReadOnlyList<int>> Samples,
    IReadOnlyList<double> Weights);

internal sealed record FrameReport(
    string Name,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? File,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] int? Line);

/// <summary>The tree that the live page draws: a list of frames, parents before their children.</summary>
internal sealed record TreeReport(double BlockedMs, double CutMs, IReadOnlyList<NodeReport> Nodes);

/// <param name="Name">The type and method, or another label such as the endpoint.</param>
/// <param name="File">The path from the project's root; null if unknown.</param>
/// <param name="Line">Counted from 1; null if unknown.</param>
/// <param name="Own">Whether this is the app's own code.</param>
/// <param name="BlockedMs">The blocked time, including that of all frames beneath it.</param>
/// <param name="Parent">The index of the frame that called this one; null for an outermost frame.</param>
internal sealed record NodeReport(
    string Name,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? File,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] int? Line,
    bool Own,
    double BlockedMs,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] int? Parent);
