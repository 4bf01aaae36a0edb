using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Finds a value by the name that WebSurge's rules give it.</summary>
internal static class JsonSearch
{
    /// <summary>Returns the first property of that name, searching from the outermost level in; <c>a.b</c> is a path.</summary>
    public static JsonNode? Find(JsonNode? node, string path)
    {
        if (node is JsonArray array)
        {
            return array.Select(item => Find(item, path)).FirstOrDefault(found => found is not null);
        }

        if (node is not JsonObject json)
        {
            return null;
        }

        var parts = path.Split('.', 2);
        var own = json.FirstOrDefault(pair => pair.Key.Equals(parts[0], StringComparison.OrdinalIgnoreCase)).Value;
        if (own is not null)
        {
            return parts.Length == 1 ? own : Find(own, parts[1]);
        }

        return json.Select(pair => Find(pair.Value, path)).FirstOrDefault(found => found is not null);
    }
}
