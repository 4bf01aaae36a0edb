using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Reads JSON like WebSurge's library: with comments and trailing commas, names in any case, and the last of two equal names wins.
/// </summary>
internal static class LenientJson
{
    public static readonly JsonReaderOptions Reader = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    public static readonly JsonDocumentOptions Document = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    private static readonly JsonNodeOptions AnyCase = new() { PropertyNameCaseInsensitive = true };

    public static JsonObject ToObject(JsonElement element)
    {
        var result = new JsonObject(AnyCase);
        foreach (var property in element.EnumerateObject())
        {
            result[property.Name] = ToNode(property.Value);
        }

        return result;
    }

    private static JsonNode? ToNode(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => ToObject(element),
        JsonValueKind.Array => new JsonArray(AnyCase, [.. element.EnumerateArray().Select(ToNode)]),
        JsonValueKind.Null => null,
        _ => JsonValue.Create(element.Clone()),
    };
}
