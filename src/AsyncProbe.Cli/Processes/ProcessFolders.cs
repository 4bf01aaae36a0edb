using System.Globalization;
using System.Text;

namespace AsyncProbe.Cli.Processes;

/// <summary>Where a process keeps its diagnostics socket, and the paths next to it.</summary>
internal static class ProcessFolders
{
    private const string DefaultTemp = "/tmp/";
    private const string TempVariable = "TMPDIR=";

    /// <summary>The process's folder for temporary files, as the process sees it.</summary>
    public static string Temp(ProcessEntry process)
    {
        if (!OperatingSystem.IsLinux())
        {
            return Path.GetTempPath();
        }

        var temp = ReadTemp(process) ?? DefaultTemp;
        return temp.EndsWith('/') ? temp : temp + "/";
    }

    /// <summary>The path of its diagnostics socket as seen from here, whether or not it exists.</summary>
    public static string Socket(ProcessEntry process) => string.Create(
        CultureInfo.InvariantCulture, $"{process.Root}{Temp(process)}dotnet-diagnostic-{process.OwnPid}-{process.StartTime}-socket");

    /// <summary>The private folder that the tool creates for the process, as the process sees it.</summary>
    public static string Private(ProcessEntry process) =>
        string.Create(CultureInfo.InvariantCulture, $"{Temp(process)}asyncprobe-{process.OwnPid}-{process.StartTime}");

    // Read only this one value of the process's environment.
    private static string? ReadTemp(ProcessEntry process)
    {
        try
        {
            var environment = File.ReadAllBytes(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Pid}/environ"));
            return Encoding.UTF8.GetString(environment).Split('\0')
                .FirstOrDefault(entry => entry.StartsWith(TempVariable, StringComparison.Ordinal))?[TempVariable.Length..]
                is { Length: > 0 } temp ? temp : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
