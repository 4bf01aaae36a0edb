using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>
/// Finds the process that listens on a port: the one that was started, or one that it has started, as <c>dotnet run</c> does.
/// </summary>
internal static class PortOwner
{
    private const string Listening = "0A";

    private static readonly string[] s_tables = ["/proc/net/tcp", "/proc/net/tcp6"];

    /// <param name="root">The process that was started.</param>
    /// <returns>The process that was started, if it is unknown which one listens.</returns>
    public static int Find(int port, int root)
    {
        if (!OperatingSystem.IsLinux())
        {
            return root;
        }

        var sockets = Sockets(port);
        return Descendants(root).FirstOrDefault(pid => HasOneOf(sockets, pid), root);
    }

    private static HashSet<string> Sockets(int port)
    {
        var address = string.Create(CultureInfo.InvariantCulture, $":{port:X4}");
        return [.. s_tables.Where(File.Exists).SelectMany(File.ReadLines)
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(fields => fields is [_, var local, _, Listening, _, _, _, _, _, _, ..]
                && local.EndsWith(address, StringComparison.Ordinal))
            .Select(fields => $"socket:[{fields[9]}]")];
    }

    private static List<int> Descendants(int root)
    {
        var parents = Directory.EnumerateDirectories("/proc").Select(Path.GetFileName)
            .Select(name => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var pid) ? pid : 0)
            .Where(pid => pid > 0).Select(pid => (Pid: pid, Parent: Parent(pid))).ToLookup(one => one.Parent, one => one.Pid);
        List<int> found = [root];
        for (var i = 0; i < found.Count; i++)
        {
            found.AddRange(parents[found[i]]);
        }

        return found;
    }

    private static int Parent(int pid)
    {
        try
        {
            var stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/stat"));
            return int.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[1], CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    private static bool HasOneOf(HashSet<string> sockets, int pid)
    {
        try
        {
            return Directory.EnumerateFileSystemEntries(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/fd"))
                .Any(file => new FileInfo(file).LinkTarget is { } target && sockets.Contains(target));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
