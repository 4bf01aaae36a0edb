using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>The files that a process has mapped, on Linux.</summary>
internal static class LoadedFiles
{
    private const string Runtime = "libcoreclr.so";

    /// <summary>Whether it has the .NET runtime loaded as a library; a single-file app has it inside its executable.</summary>
    public static bool HasRuntime(ProcessEntry process)
    {
        try
        {
            return File.ReadLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Pid}/maps"))
                .Any(line => line.EndsWith("/" + Runtime, StringComparison.Ordinal));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
