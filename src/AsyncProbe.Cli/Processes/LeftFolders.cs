using System.Globalization;
using System.Net.Sockets;

namespace AsyncProbe.Cli.Processes;

/// <summary>The private folders of processes that were killed before their probe could remove them.</summary>
internal static class LeftFolders
{
    // Another tool may have created the folder a moment ago.
    private static readonly TimeSpan s_age = TimeSpan.FromHours(1);

    /// <summary>Removes those of this tool's user whose process has ended, if they are more than an hour old.</summary>
    /// <param name="temp">Where to look. It must not lie in another process's file system, which could change beneath this.</param>
    public static void Remove(string temp)
    {
        try
        {
            foreach (var folder in Directory.EnumerateDirectories(temp, ProcessFolders.Prefix + "*").Where(IsLeft))
            {
                PrivateFolder.Remove(folder);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another tool will find them.
        }
    }

    private static bool IsLeft(string folder)
    {
        try
        {
            return HasEnded(Path.GetFileName(folder)) && Directory.GetLastWriteTimeUtc(folder) < DateTime.UtcNow - s_age
                && PrivateFolder.IsPrivate(folder, CurrentUser.Id) && !Directory.EnumerateFiles(folder, "*.sock").Any(Listens);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static bool HasEnded(string name) => name[ProcessFolders.Prefix.Length..].Split('-') is [var number, var startTime]
        && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var pid)
        && ProcessEntry.Find(pid)?.StartTime != startTime;

    // A process of another container may share the folder for temporary files.
    private static bool Listens(string path)
    {
        try
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return true;
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            return e is not SocketException { SocketErrorCode: SocketError.ConnectionRefused };
        }
    }
}
