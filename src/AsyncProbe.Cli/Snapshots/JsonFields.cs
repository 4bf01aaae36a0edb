using System.Text.Json;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>
/// Reads a report of which any part may be missing, null, or newer than this tool; anything that doesn't fit is treated as not available. A
/// figure that no server can have makes the whole report unreadable, because its other figures can't be trusted, either.
/// </summary>
internal static class JsonFields
{
    /// <summary>3,000 years in milliseconds, or 100 TB: nothing real is larger, and nothing smaller overflows a time.</summary>
    private const double Largest = 1e14;

    public static JsonElement Child(this JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var child) ? child : default;

    public static IEnumerable<JsonElement> Items(this JsonElement element, string name)
    {
        var list = element.Child(name);
        return list.ValueKind == JsonValueKind.Array ? list.EnumerateArray() : Enumerable.Empty<JsonElement>();
    }

    public static IEnumerable<string> Texts(this JsonElement element, string name) =>
        element.Items(name).Where(item => item.ValueKind == JsonValueKind.String).Select(item => SafeText.From(item.GetString()!));

    /// <param name="element">What contains it.</param>
    /// <param name="name">The field's name.</param>
    /// <param name="largest">The largest number that a server can have there.</param>
    /// <exception cref="JsonException">The number is beyond anything real.</exception>
    public static double? Number(this JsonElement element, string name, double largest = Largest)
    {
        var child = element.Child(name);
        if (child.ValueKind != JsonValueKind.Number)
        {
            return null;
        }

        return child.TryGetDouble(out var number) && Math.Abs(number) <= largest
            ? number
            : throw new JsonException($"{name} is {child.GetRawText().Length} characters of an impossible number.");
    }

    /// <summary>Safe to print.</summary>
    public static string? Text(this JsonElement element, string name)
    {
        var child = element.Child(name);
        return child.ValueKind == JsonValueKind.String ? SafeText.From(child.GetString()!) : null;
    }

    public static bool Flag(this JsonElement element, string name) => element.Child(name).ValueKind == JsonValueKind.True;

    public static DateTimeOffset? Time(this JsonElement element, string name)
    {
        var child = element.Child(name);
        return child.ValueKind == JsonValueKind.String && child.TryGetDateTimeOffset(out var time) ? time : null;
    }
}
