using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>The content that a user sends instead of the request's own, for a POST or PUT to this URL.</summary>
internal sealed record LoginForm(
    string Url, IReadOnlyList<SessionHeader> Headers, IReadOnlyList<SessionHeader> Variables, string ContentType, string? RawContent)
{
    public static IEnumerable<LoginForm> ReadAll(JsonNode? forms) =>
        forms is JsonArray array ? array.OfType<JsonObject>().Select(Read) : [];

    public static string? Text(JsonNode? node) => node is JsonValue value && value.TryGetValue(out string? text) ? text : null;

    /// <summary>The content to send: the raw content, or the variables as a form.</summary>
    public string Content => RawContent is { Length: > 0 }
        ? RawContent
        : string.Join('&', Variables.Select(pair => $"{Uri.EscapeDataString(pair.Name)}={Uri.EscapeDataString(pair.Value)}"));

    private static LoginForm Read(JsonObject form) => new(
        Text(form[nameof(Url)]) ?? "",
        Pairs(form[nameof(Headers)], "Name"),
        Pairs(form["FormVariables"], "Key"),
        Text(form[nameof(ContentType)]) is { Length: > 0 } type ? type : "application/x-www-form-urlencoded",
        Text(form[nameof(RawContent)]));

    private static List<SessionHeader> Pairs(JsonNode? list, string nameProperty) => list is JsonArray array
        ? [.. array.OfType<JsonObject>().Select(pair => new SessionHeader(Text(pair[nameProperty]) ?? "", Text(pair["Value"]) ?? ""))]
        : [];
}
