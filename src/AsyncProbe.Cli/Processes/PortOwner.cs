using System.Globalization;
using AsyncProbe.Cli.Server;

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
        return LinuxProcess.FindTree(root).Select(process => process.Pid).FirstOrDefault(pid => HasOneOf(sockets, pid), root);
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
