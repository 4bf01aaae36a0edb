using System.Net.Sockets;

namespace AsyncProbe.Cli.Processes;

/// <summary>The folders of processes and tools that were killed before they could remove them.</summary>
internal static class LeftFolders
{
    // "start" stages its files before it runs a command, which may be a build.
    private static readonly TimeSpan s_age = TimeSpan.FromHours(1);

    /// <summary>
    /// Removes such folders of this tool's user. A folder stays if it is less than an hour old, or if a probe listens in it.
    /// </summary>
    /// <param name="temp">Where to look, as seen from here.</param>
    public static void Remove(string temp)
    {
        try
        {
            foreach (var folder in Directory.EnumerateDirectories(temp, ProcessFolders.Prefix + "*"))
            {
                if (IsOurs(Path.GetFileName(folder)) && Directory.GetLastWriteTimeUtc(folder) < DateTime.UtcNow - s_age
                    && PrivateFolder.IsPrivate(folder, CurrentUser.Id) && !HasProbe(folder))
                {
                    PrivateFolder.Remove(folder);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another tool will find them.
        }
    }

    private static bool IsOurs(string name) => name[ProcessFolders.Prefix.Length..].Split('-') switch
    {
        [ProcessFolders.Start, _] => true,
        [var pid, var startTime] => pid.All(char.IsAsciiDigit) && startTime.All(char.IsAsciiDigit),
        _ => false,
    };

    private static bool HasProbe(string folder) => Directory.EnumerateFiles(folder, "*.sock").Any(Listens);

    private static bool Listens(string path)
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return true;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode != SocketError.ConnectionRefused;
        }
    }
}
