using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>Where a document refers to others, and how the library writes places in it.</summary>
internal static class OpenApiReferences
{
    /// <summary>A few of them are enough to show what is missing.</summary>
    private const int Most = 20;

    public static void FindRemote(JsonElement root, Action<Severity, string, string> say)
    {
        var found = 0;
        Find(root, "$");

        void Find(JsonElement element, string path)
        {
            if (element.ValueKind == JsonValueKind.Object)
            {
                if (element.Find("$ref").ValueKind == JsonValueKind.String && element.Text("$ref") is { Length: > 0 } target
                    && !target.StartsWith('#') && found++ < Most)
                {
                    say(Severity.Warning, path, $"The $ref to {SafeText.From(target)} is not fetched, so what it stands for is missing.");
                }

                foreach (var property in element.EnumerateObject()
                    .Where(property => property.Value.ValueKind is JsonValueKind.Object or JsonValueKind.Array))
                {
                    Find(property.Value, $"{path}.{Name(property)}");
                }
            }

            foreach (var (item, index) in element.Items())
            {
                Find(item, $"{path}[{index}]");
            }
        }
    }

    /// <summary>Converts a JSON pointer, such as <c>#/paths/~1a/get</c>, to a path.</summary>
    public static string Path(string? pointer)
    {
        var names = (pointer ?? "").TrimStart('#').Split('/', StringSplitOptions.RemoveEmptyEntries)
            .Select(name => name.Replace("~1", "/", StringComparison.Ordinal).Replace("~0", "~", StringComparison.Ordinal));
        return "$" + string.Concat(names.Select(name => name.All(char.IsAsciiDigit) ? $"[{name}]" : "." + name));
    }

    private static string Name(JsonProperty property)
    {
        try
        {
            return property.Name;
        }
        catch (InvalidOperationException)
        {
            return "\uFFFD";
        }
    }
}
