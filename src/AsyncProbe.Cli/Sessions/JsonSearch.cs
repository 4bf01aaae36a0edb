using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// Finds a property by the name that WebSurge's rules give it: the first of that name, searching from the outermost level in; <c>a.b</c>
/// is a path.
/// </summary>
internal static class JsonSearch
{
    /// <summary>A value that isn't null.</summary>
    public static JsonNode? Find(JsonNode? node, string path) =>
        FindProperty(node, path, orNull: false) is { } found ? found.Owner[found.Name] : null;

    /// <summary>A property to replace, whose value may also be null.</summary>
    public static (JsonObject Owner, string Name)? FindProperty(JsonNode? node, string path) => FindProperty(node, path, orNull: true);

    private static (JsonObject Owner, string Name)? FindProperty(JsonNode? node, string path, bool orNull)
    {
        var parts = path.Split('.', 2);
        var json = node as JsonObject;
        foreach (var (name, value) in json ?? [])
        {
            if (name.Equals(parts[0], StringComparison.OrdinalIgnoreCase) && (value is not null || (orNull && parts.Length == 1)))
            {
                return parts.Length == 1 ? (json!, name) : FindProperty(value, parts[1], orNull);
            }
        }

        var inner = json?.Select(pair => pair.Value) ?? node as JsonArray ?? [];
        return inner.Select(item => FindProperty(item, path, orNull)).FirstOrDefault(found => found is not null);
    }
}
