namespace AsyncProbe.Cli.Sites;

/// <summary>
/// Finds the files that a server names. The server's paths begin at the project's folder, because the rest of the path belongs to the build
/// machine. This class finds them in the repository.
/// </summary>
internal sealed class SourcePaths
{
    private static readonly string[] s_sources = [".cs", ".fs", ".vb", ".razor", ".cshtml"];
    private static readonly string[] s_leftOut = ["bin", "obj", "node_modules", "artifacts"];

    private readonly ILookup<string, string> _byName;
    private readonly HashSet<string> _notFound = [];

    public SourcePaths(IEnumerable<string> paths) => _byName = paths.ToLookup(Name, StringComparer.Ordinal);

    /// <summary>The files that couldn't be found because no path, or more than one, ends like them.</summary>
    public IReadOnlyCollection<string> NotFound => _notFound;

    /// <summary>All sources of the repository that contains the folder; without a repository, of the folder itself.</summary>
    public static SourcePaths ScanRepository(string folder)
    {
        var root = Root(folder);
        return Scan(root, root);
    }

    /// <summary>The sources in the folder, with paths relative to its repository.</summary>
    public static SourcePaths ScanFolder(string folder) => Scan(Path.GetFullPath(folder), Root(folder));

    /// <summary>The path from the repository's root on, or unchanged if it isn't certain: naming a wrong file would be worse.</summary>
    public string Find(string file)
    {
        var path = file.TrimStart('/');
        var found = _byName[Name(file)].Where(known => ("/" + known).EndsWith("/" + path, StringComparison.Ordinal)).Take(2).ToList();
        if (found is [var only])
        {
            return only;
        }

        _notFound.Add(path);
        return path;
    }

    private static SourcePaths Scan(string folder, string root) =>
        new(Files(folder).Select(file => Path.GetRelativePath(root, file).Replace('\\', '/')));

    private static string Root(string folder)
    {
        var start = new DirectoryInfo(Path.GetFullPath(folder));
        for (var above = start; above is not null; above = above.Parent)
        {
            // In a second worktree, .git is a file.
            if (Path.Exists(Path.Combine(above.FullName, ".git")))
            {
                return above.FullName;
            }
        }

        return start.FullName;
    }

    private static string Name(string path) => path[(path.LastIndexOf('/') + 1)..];

    private static IEnumerable<string> Files(string folder)
    {
        // Don't follow links: they may lead out of the repository or in a circle.
        var options = new EnumerationOptions { IgnoreInaccessible = true, AttributesToSkip = FileAttributes.ReparsePoint };
        var folders = new Stack<string>([folder]);
        while (folders.TryPop(out var next))
        {
            foreach (var file in Directory.EnumerateFiles(next, "*", options))
            {
                if (s_sources.Contains(Path.GetExtension(file), StringComparer.OrdinalIgnoreCase))
                {
                    yield return file;
                }
            }

            foreach (var inner in Directory.EnumerateDirectories(next, "*", options))
            {
                var name = Path.GetFileName(inner);
                if (!name.StartsWith('.') && !s_leftOut.Contains(name, StringComparer.OrdinalIgnoreCase))
                {
                    folders.Push(inner);
                }
            }
        }
    }
}
