using System.Globalization;
using System.Text.Json;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Stacks;

/// <summary>The modules of a process and their files, divided into the application's own and the framework's.</summary>
internal sealed class RemoteModules(DotnetProcess process, IEnumerable<string> paths) : IDisposable
{
    private readonly Dictionary<string, RemoteModule> _open = new(StringComparer.Ordinal);
    private readonly HashSet<string> _own = new(Projects(process, paths), StringComparer.OrdinalIgnoreCase) { process.Info.Name };
    private readonly string[] _paths = [.. paths];

    /// <summary>The application's own modules.</summary>
    public IEnumerable<RemoteModule> Own => _paths.Where(IsOwn).Select(Get);

    /// <summary>Whether the module is the entry assembly or one of the projects that it was built with.</summary>
    public bool IsOwn(string path) => _own.Contains(NameOf(path));

    /// <summary>Whether the module belongs to the runtime or a shared framework.</summary>
    public static bool IsFramework(string path) =>
        NameOf(path) is var name && (name.StartsWith("System.", StringComparison.Ordinal) || name is "mscorlib" or "netstandard" or ""
            || name.StartsWith("Microsoft.AspNetCore.", StringComparison.Ordinal)
            || name.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal));

    public RemoteModule Get(string path)
    {
        if (!_open.TryGetValue(path, out var module))
        {
            _open[path] = module = RemoteModule.Open(FileOf(process, path));
        }

        return module;
    }

    public void Dispose()
    {
        foreach (var module in _open.Values)
        {
            module.Dispose();
        }
    }

    private static string NameOf(string path) => path.Length == 0 ? "" : Path.GetFileNameWithoutExtension(path.Replace('\\', '/'));

    // The modules of a single-file application have names but no files. Its symbols are next to the executable.
    private static string FileOf(DotnetProcess process, string path) =>
        Path.IsPathRooted(path) && (File.Exists(process.Entry.Root + path) || !OperatingSystem.IsLinux())
            ? process.Entry.Root + path
            : Path.Combine(FolderOf(process) ?? "", Path.GetFileName(path));

    private static string? FolderOf(DotnetProcess process)
    {
        try
        {
            return new FileInfo(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Pid}/exe")).LinkTarget is { } program
                ? process.Entry.Root + Path.GetDirectoryName(program)
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static IEnumerable<string> Projects(DotnetProcess process, IEnumerable<string> paths)
    {
        var entry = paths.FirstOrDefault(path => NameOf(path) == process.Info.Name);
        var deps = Path.ChangeExtension(FileOf(process, entry ?? process.Info.Name + ".dll"), ".deps.json");
        try
        {
            using var file = File.OpenRead(deps);
            using var json = JsonDocument.Parse(file);
            return [.. UserCode.ProjectsIn(json)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException or InvalidOperationException)
        {
            // Without the file, only the entry assembly counts as the application's own.
            return [];
        }
    }
}
