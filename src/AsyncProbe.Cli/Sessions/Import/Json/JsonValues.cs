using System.Text.Json;

namespace AsyncProbe.Cli.Sessions.Import.Json;

/// <summary>
/// Reads values of an untrusted document: a missing value or one of another type is null or empty, and nothing throws.
/// </summary>
internal static class JsonValues
{
    /// <summary>A string's text, or a number or Boolean as written; null for other kinds.</summary>
    public static string? Text(this JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.String => Unescaped(element),
        JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False => element.GetRawText(),
        _ => null,
    };

    public static string? Text(this JsonElement element, string name) => element.Find(name).Text();

    /// <summary>An undefined element when there is no such property.</summary>
    public static JsonElement Find(this JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var value) ? value : default;

    public static bool IsTrue(this JsonElement element, string name) => element.Find(name).ValueKind == JsonValueKind.True;

    public static bool IsFalse(this JsonElement element, string name) => element.Find(name).ValueKind == JsonValueKind.False;

    public static IEnumerable<(JsonElement Value, int Index)> Items(this JsonElement element) =>
        element.ValueKind == JsonValueKind.Array ? element.EnumerateArray().Select((value, index) => (value, index)) : [];

    public static IEnumerable<(JsonElement Value, int Index)> Items(this JsonElement element, string name) => element.Find(name).Items();

    /// <summary>Half a surrogate pair is valid JSON but not valid text.</summary>
    private static string Unescaped(JsonElement element)
    {
        try
        {
            return element.GetString() ?? "";
        }
        catch (InvalidOperationException)
        {
            return "\uFFFD";
        }
    }
}
