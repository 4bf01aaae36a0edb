using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>The files that a process has mapped, on Linux.</summary>
internal static class LoadedFiles
{
    private const string Runtime = "libcoreclr.so";
    private const string Deleted = " (deleted)";

    /// <summary>Whether it has the .NET runtime loaded as a library; a single-file app has it inside its executable.</summary>
    public static bool HasRuntime(ProcessEntry process) => Find(process, Runtime) is not null;

    /// <summary>
    /// The path, as the process sees it, of a loaded file with this name, even if the file is gone. Null when there is none, or when it
    /// isn't known.
    /// </summary>
    public static string? Find(ProcessEntry process, string name)
    {
        try
        {
            var line = File.ReadLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Pid}/maps"))
                .Select(line => line.EndsWith(Deleted, StringComparison.Ordinal) ? line[..^Deleted.Length] : line)
                .FirstOrDefault(line => line.EndsWith("/" + name, StringComparison.Ordinal));
            return line?[line.IndexOf('/', StringComparison.Ordinal)..];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
