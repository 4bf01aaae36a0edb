using System.Globalization;
using System.Text;

namespace AsyncProbe.Cli.Processes;

/// <summary>Where a process keeps its diagnostics socket, and the paths next to it.</summary>
internal static class ProcessFolders
{
    /// <summary>How the names of the tool's folders begin.</summary>
    public const string Prefix = "asyncprobe-";

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

    /// <summary>
    /// The private folder that the tool creates for the process, as the process sees it. A process that has loaded the hook before, or was
    /// started with it, can load it only from the same folder.
    /// </summary>
    public static string Private(ProcessEntry process) =>
        OfHook(process) ?? string.Create(CultureInfo.InvariantCulture, $"{Temp(process)}{Prefix}{process.OwnPid}-{process.StartTime}");

    // The process could map a file of this name from anywhere. The tool may run as root, so it must not create folders just anywhere.
    private static string? OfHook(ProcessEntry process) =>
        LoadedFiles.Find(process, StagedParts.Hook) is { } hook && Path.GetDirectoryName(hook) is { } folder
            && Path.GetDirectoryName(folder) + "/" == Temp(process) && Path.GetFileName(folder).StartsWith(Prefix, StringComparison.Ordinal)
            ? folder
            : null;

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
