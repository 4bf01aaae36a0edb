using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace AsyncProbe.Blocking.Methods;

/// <summary>
/// Knows which assemblies are the application's own. They are the ones named by the option; without it, the entry assembly and the projects
/// it was built with. The <c>.deps.json</c> file distinguishes projects from packages.
/// </summary>
internal sealed class UserCode
{
    private readonly HashSet<string> _names;

    // Weak, so that assemblies can be unloaded.
    private readonly ConditionalWeakTable<Assembly, object> _known = [];

    private UserCode(IEnumerable<string> names) => _names = new HashSet<string>(names, StringComparer.OrdinalIgnoreCase);

    public static UserCode Create(IReadOnlyCollection<string> names) => new(names.Count > 0 ? names : Projects());

    /// <summary>
    /// Whether an assembly is the application's own. AsyncProbe never is, even when it is built as one of the application's projects.
    /// </summary>
    public bool Contains(Assembly assembly) =>
        (bool)(_known.TryGetValue(assembly, out var known)
            ? known
            : _known.GetValue(assembly, a => a != typeof(UserCode).Assembly && _names.Contains(a.GetName().Name ?? "")));

    /// <summary>The names of the libraries that a <c>.deps.json</c> file lists as projects.</summary>
    public static IEnumerable<string> ProjectsIn(JsonDocument deps)
    {
        if (!deps.RootElement.TryGetProperty("libraries", out var libraries) || libraries.ValueKind != JsonValueKind.Object)
        {
            yield break;
        }

        foreach (var library in libraries.EnumerateObject())
        {
            if (library.Value.TryGetProperty("type", out var type) && type.ValueEquals("project"))
            {
                // "Shop.Orders/1.0.0"
                yield return library.Name[..Math.Max(0, library.Name.IndexOf('/', StringComparison.Ordinal))];
            }
        }
    }

    private static IEnumerable<string> Projects()
    {
        if (Assembly.GetEntryAssembly()?.GetName().Name is { } entry)
        {
            yield return entry;
        }

        // The host passes the paths of the <c>.deps.json</c> files of the application and the frameworks. A single-file app has none.
        var paths = (AppContext.GetData("APP_CONTEXT_DEPS_FILES") as string ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries);
        foreach (var name in paths.SelectMany(Read))
        {
            yield return name;
        }
    }

    private static List<string> Read(string path)
    {
        try
        {
            using var file = File.OpenRead(path);
            using var deps = JsonDocument.Parse(file);
            return [.. ProjectsIn(deps)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException)
        {
            // Without the file, only the entry assembly counts as application code. The option can name the others.
            return [];
        }
    }
}
