namespace AsyncProbe.Blocking.Sources;

/// <summary>
/// The folder of an assembly's sources, derived from its symbols. Paths are reported relative to it, because the part before it belongs to
/// the build machine and may contain a user's name.
/// </summary>
internal sealed class SourceRoot
{
    private readonly string _root;

    private SourceRoot(string root) => _root = root;

    /// <param name="documents">The paths of all sources, as the compiler saw them: Windows or Unix, mapped or not.</param>
    public static SourceRoot From(IEnumerable<string> documents)
    {
        string[]? common = null;
        foreach (var document in documents)
        {
            var folders = Parts(document)[..^1];
            var generated = Array.IndexOf(folders, "obj");
            if (generated >= 0)
            {
                // Cut the path at obj, so that the root doesn't depend on which files a build generates.
                folders = folders[..generated];
            }
            else if (IsOfAPackage(folders))
            {
                continue;
            }

            common = common is null
                ? folders
                : [.. common.Zip(folders).TakeWhile(pair => pair.First == pair.Second).Select(pair => pair.First)];
        }

        return new SourceRoot(common is { Length: > 0 } ? string.Join('/', common) + "/" : "");
    }

    /// <summary>The path relative to the root. For a file outside the root, only its name.</summary>
    public string Relative(string document)
    {
        var path = string.Join('/', Parts(document));
        return path.StartsWith(_root, StringComparison.Ordinal) && !HoldsUsers(_root)
            ? path[_root.Length..]
            : path[(path.LastIndexOf('/') + 1)..];
    }

    // In "/", "/home/", "C:/" and "C:/Users/", the next folder may name a user.
    private static bool HoldsUsers(string root)
    {
        var folder = root.Length > 1 && root[1] == ':' ? root[2..] : root;
        return folder is "" or "/" || folder.Equals("/home/", StringComparison.OrdinalIgnoreCase)
            || folder.Equals("/users/", StringComparison.OrdinalIgnoreCase);
    }

    private static string[] Parts(string document) => document.Replace('\\', '/').Split('/');

    private static bool IsOfAPackage(string[] folders) =>
        Array.Exists(folders, folder => folder is ".nuget" or "packages" or "contentFiles" or "dotnet");
}
