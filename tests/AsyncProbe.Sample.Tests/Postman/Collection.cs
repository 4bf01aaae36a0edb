using System.Text.Json;

namespace AsyncProbe.Sample.Tests.Postman;

/// <summary>The Postman collection of this repository.</summary>
internal static class Collection
{
    public static string Folder { get; } = Path.Combine(Repository.Folder, "postman");

    public static string File { get; } = Path.Combine(Folder, "AsyncProbe.postman_collection.json");

    /// <summary>The method and path of every request, without the query.</summary>
    public static IReadOnlySet<string> Requests()
    {
        using var collection = JsonDocument.Parse(System.IO.File.ReadAllText(File));
        HashSet<string> requests = new(StringComparer.OrdinalIgnoreCase);
        Add(collection.RootElement.GetProperty("item"), requests);
        return requests;
    }

    private static void Add(JsonElement items, HashSet<string> requests)
    {
        foreach (var item in items.EnumerateArray())
        {
            if (item.TryGetProperty("item", out var inner))
            {
                Add(inner, requests);
            }
            else
            {
                var request = item.GetProperty("request");
                var path = request.GetProperty("url").GetProperty("path").EnumerateArray().Select(part => part.GetString());
                requests.Add($"{request.GetProperty("method").GetString()} /{string.Join('/', path)}");
            }
        }
    }
}
