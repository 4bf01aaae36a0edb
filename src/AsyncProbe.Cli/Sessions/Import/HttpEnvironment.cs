using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>
/// Reads <c>http-client.env.json</c>: named sets of values, and <c>$shared</c> values for all of them. A developer's own values are in
/// <c>http-client.env.json.user</c>.
/// </summary>
internal static class HttpEnvironment
{
    public const string FileName = "http-client.env.json";

    private const string Shared = "$shared";

    /// <param name="folder">The folder of the .http file; the file of values may be there or in a parent folder.</param>
    /// <param name="name">The set to read; null for only the shared values.</param>
    /// <exception cref="SessionException">There is no such set, or the file cannot be read.</exception>
    public static IReadOnlyDictionary<string, string> Read(string folder, string? name)
    {
        if (Find(folder) is not { } file)
        {
            return name is null ? new Dictionary<string,
                string>()
                : throw new SessionException(
                    $"The environment {SafeText.From(name)} is not defined: no {FileName} is beside the .http file or above it.");
        }

        // The developer's own file comes last, because its values win.
        var roots = new[] { file, file + ".user" }.Where(File.Exists).Select(Parse).ToList();
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        roots.ForEach(root => Add(values, root.Find(Shared)));
        if (name is not null)
        {
            var sets = roots.ConvertAll(root => root.Find(name)).FindAll(set => set.ValueKind == JsonValueKind.Object);
            if (sets.Count == 0)
            {
                var names = roots.Where(root => root.ValueKind == JsonValueKind.Object)
                    .SelectMany(root => root.EnumerateObject()).Select(property => property.Name)
                    .Where(known => known != Shared).Distinct();
                throw new SessionException(
                    $"{file} has no environment {SafeText.From(name)}; it has {SafeText.From(string.Join(", ", names))}.");
            }

            sets.ForEach(set => Add(values, set));
        }

        return values;
    }

    private static JsonElement Parse(string file)
    {
        try
        {
            using var json = JsonDocument.Parse(File.ReadAllText(file), LenientJson.Document);
            return json.RootElement.Clone();
        }
        catch (JsonException e)
        {
            throw new SessionException($"{file}({(e.LineNumber ?? 0) + 1}): error: this is not JSON.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new SessionException($"{file} cannot be read: {e.Message.TrimEnd('.')}.");
        }
    }

    private static string? Find(string folder)
    {
        for (var place = new DirectoryInfo(folder); place is not null; place = place.Parent)
        {
            var file = Path.Combine(place.FullName, FileName);
            if (File.Exists(file))
            {
                return file;
            }
        }

        return null;
    }

    private static void Add(Dictionary<string, string> values, JsonElement set)
    {
        if (set.ValueKind != JsonValueKind.Object)
        {
            return;
        }

        foreach (var pair in set.EnumerateObject())
        {
            // An object refers to a secret of a provider, which only Visual Studio can access.
            if (pair.Value.Text() is { } value)
            {
                values[pair.Name] = value;
            }
        }
    }
}
