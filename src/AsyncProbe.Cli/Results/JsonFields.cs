using System.Text.Json;

namespace AsyncProbe.Cli.Results;

/// <summary>Reads a report of which any part may be missing, null, or newer than this tool: what does not fit is not available.</summary>
internal static class JsonFields
{
    public static JsonElement Child(this JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var child) ? child : default;

    public static IEnumerable<JsonElement> Items(this JsonElement element, string name)
    {
        var list = element.Child(name);
        return list.ValueKind == JsonValueKind.Array ? list.EnumerateArray() : Enumerable.Empty<JsonElement>();
    }

    public static double? Number(this JsonElement element, string name)
    {
        var child = element.Child(name);
        return child.ValueKind == JsonValueKind.Number && child.TryGetDouble(out var number) && double.IsFinite(number) ? number : null;
    }

    public static string? Text(this JsonElement element, string name)
    {
        var child = element.Child(name);
        return child.ValueKind == JsonValueKind.String ? child.GetString() : null;
    }

    public static DateTimeOffset? Time(this JsonElement element, string name)
    {
        var child = element.Child(name);
        return child.ValueKind == JsonValueKind.String && child.TryGetDateTimeOffset(out var time) ? time : null;
    }
}
