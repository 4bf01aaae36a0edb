using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Reads JSON like WebSurge's library: with comments and trailing commas, names in any case, and the last of two equal names wins.
/// </summary>
internal static partial class LenientJson
{
    public static readonly JsonReaderOptions Reader = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    public static readonly JsonDocumentOptions Document = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    private const int HalfAPair = 6;

    private static readonly JsonNodeOptions AnyCase = new() { PropertyNameCaseInsensitive = true };

    /// <summary>
    /// Reads a body, whose names keep their case. Half a surrogate pair is valid JSON but not valid text, so it becomes U+FFFD, as in
    /// UTF-8.
    /// </summary>
    /// <exception cref="JsonException">It is not JSON.</exception>
    public static JsonNode? Parse(string body)
    {
        var text = Escapes().Replace(body, escape => escape.Length == HalfAPair ? @"\uFFFD" : escape.Value);
        return ToNode(JsonElement.Parse(Encoding.UTF8.GetBytes(text), Document), default);
    }

    public static JsonObject ToObject(JsonElement element) => ToObject(element, AnyCase);

    private static JsonObject ToObject(JsonElement element, JsonNodeOptions options)
    {
        var result = new JsonObject(options);
        foreach (var property in element.EnumerateObject())
        {
            result[property.Name] = ToNode(property.Value, options);
        }

        return result;
    }

    private static JsonNode? ToNode(JsonElement element, JsonNodeOptions options) => element.ValueKind switch
    {
        JsonValueKind.Object => ToObject(element, options),
        JsonValueKind.Array => new JsonArray(options, [.. element.EnumerateArray().Select(item => ToNode(item, options))]),
        JsonValueKind.Null => null,
        _ => JsonValue.Create(element.Clone()),
    };

    /// <summary>A pair of surrogates, half a pair, or another escape sequence.</summary>
    [GeneratedRegex(@"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\.")]
    private static partial Regex Escapes();
}
