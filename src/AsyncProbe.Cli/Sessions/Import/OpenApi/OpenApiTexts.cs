using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>Formats values for a URL or a form.</summary>
internal static class OpenApiTexts
{
    /// <summary>A string without its quotes; anything else as JSON.</summary>
    public static string Text(JsonNode? value) =>
        value is JsonValue text && text.GetValueKind() == JsonValueKind.String ? text.ToString() : value?.ToJsonString() ?? "";

    /// <summary>The items of a list, the alternating names and values of an object, or the single value.</summary>
    public static IEnumerable<string> Flat(JsonNode value, bool explode = false) => value switch
    {
        JsonArray list => list.Select(Text),
        JsonObject pairs when explode => pairs.Select(pair => $"{pair.Key}={Text(pair.Value)}"),
        JsonObject pairs => pairs.SelectMany(pair => new[] { pair.Key, Text(pair.Value) }),
        _ => [Text(value)],
    };

    /// <summary>Follows RFC 6570 for <c>{name}</c>, <c>{.name}</c> and <c>{;name}</c>.</summary>
    public static string Path(string name, JsonNode value, ParameterStyle style, bool explode)
    {
        var items = value is JsonObject pairs && explode
            ? pairs.Select(pair => Pair(pair.Key, Text(pair.Value)))
            : Flat(value).Select(ImportedBody.Escape);
        return style switch
        {
            ParameterStyle.Matrix when explode && value is JsonObject => string.Concat(items.Select(item => ";" + item)),
            ParameterStyle.Matrix when explode => string.Concat(items.Select(item => $";{ImportedBody.Escape(name)}={item}")),
            ParameterStyle.Matrix => $";{ImportedBody.Escape(name)}={string.Join(',', items)}",
            ParameterStyle.Label => "." + string.Join(explode ? '.' : ',', items),
            _ => string.Join(',', items),
        };
    }

    /// <param name="name">The parameter's name.</param>
    /// <param name="style">How to write a list or an object.</param>
    /// <param name="explode">Whether each item becomes a separate pair.</param>
    /// <param name="reserved">Whether to keep characters like <c>/</c> and <c>:</c> unencoded.</param>
    public static IEnumerable<string> Query(string name, JsonNode value, ParameterStyle style, bool explode, bool reserved)
    {
        var separator = style switch { ParameterStyle.SpaceDelimited => "%20", ParameterStyle.PipeDelimited => "%7C", _ => "," };
        return (value, style, explode) switch
        {
            (JsonObject pairs, ParameterStyle.DeepObject, _) =>
                pairs.Select(pair => Pair($"{name}[{pair.Key}]", Text(pair.Value), reserved)),
            (JsonObject pairs, _, true) => pairs.Select(pair => Pair(pair.Key, Text(pair.Value), reserved)),
            (JsonArray list, _, true) => list.Select(item => Pair(name, Text(item), reserved)),
            _ => [$"{ImportedBody.Escape(name)}={string.Join(separator, Flat(value).Select(item => Escape(item, reserved)))}"],
        };
    }

    private static string Pair(string name, string value, bool reserved = false) =>
        $"{ImportedBody.Escape(name)}={Escape(value, reserved)}";

    /// <summary>Encodes the text; if asked, keeps reserved characters that don't end the value or the query.</summary>
    private static string Escape(string text, bool reserved)
    {
        var escaped = ImportedBody.Escape(text);
        return reserved
            ? ":/?[]@!$'()*,;=".Aggregate(escaped, (all, c) => all.Replace(Uri.HexEscape(c), c.ToString(), StringComparison.Ordinal))
            : escaped;
    }
}
