using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>Writes values as a URL or a form holds them.</summary>
internal static class OpenApiTexts
{
    /// <summary>Text without its quotes, anything else as JSON.</summary>
    public static string Text(JsonNode? value) =>
        value is JsonValue text && text.GetValueKind() == JsonValueKind.String ? text.ToString() : value?.ToJsonString() ?? "";

    /// <summary>The items of a list, names and values of an object in turn, or the one value.</summary>
    public static IEnumerable<string> Flat(JsonNode value) => value switch
    {
        JsonArray list => list.Select(Text),
        JsonObject pairs => pairs.SelectMany(pair => new[] { pair.Key, Text(pair.Value) }),
        _ => [Text(value)],
    };

    public static IEnumerable<string> Query(string name, JsonNode value, ParameterStyle style, bool explode)
    {
        var separator = style switch { ParameterStyle.SpaceDelimited => "%20", ParameterStyle.PipeDelimited => "%7C", _ => "," };
        return (value, style, explode) switch
        {
            (JsonObject pairs, ParameterStyle.DeepObject, _) => pairs.Select(pair => Pair($"{name}[{pair.Key}]", Text(pair.Value))),
            (JsonObject pairs, _, true) => pairs.Select(pair => Pair(pair.Key, Text(pair.Value))),
            (JsonArray list, _, true) => list.Select(item => Pair(name, Text(item))),
            _ => [$"{ImportedBody.Escape(name)}={string.Join(separator, Flat(value).Select(ImportedBody.Escape))}"],
        };
    }

    private static string Pair(string name, string value) => $"{ImportedBody.Escape(name)}={ImportedBody.Escape(value)}";
}
