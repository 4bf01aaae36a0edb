using System.Globalization;
using AsyncProbe.Cli.Server;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.Cli.Processes;

/// <summary>Finds the .NET processes of this machine.</summary>
internal static class DotnetProcesses
{
    /// <summary>All processes with a diagnostics socket, with what they report about themselves or why they don't.</summary>
    public static IReadOnlyList<(ProcessEntry Entry, DotnetProcess? Process, string? Problem)> List()
    {
        List<(ProcessEntry, DotnetProcess?, string?)> found = [];
        foreach (var pid in Pids().Order())
        {
            if (pid != Environment.ProcessId && ProcessEntry.Find(pid) is { } entry && HasRuntime(entry))
            {
                try
                {
                    found.Add((entry, Open(entry), null));
                }
                catch (Exception e) when (e is IOException or ProcessException)
                {
                    found.Add((entry, null, e.Message));
                }
            }
        }

        return found;
    }

    /// <summary>Finds a process by its id or its application's name.</summary>
    /// <exception cref="ProcessException">There is none, more than one, or it cannot be reached.</exception>
    public static DotnetProcess Find(string pidOrName)
    {
        if (int.TryParse(pidOrName, NumberStyles.None, CultureInfo.InvariantCulture, out var pid))
        {
            return Open(ProcessEntry.Find(pid) ?? throw new ProcessException($"Process {pid} does not exist."));
        }

        var all = List().Select(found => found.Process).OfType<DotnetProcess>().ToList();
        var named = all.FindAll(process => process.Info.Name.Equals(pidOrName, StringComparison.OrdinalIgnoreCase));
        return named switch
        {
            [var one] => one,
            [] => throw new ProcessException($"No .NET process is named \"{pidOrName}\". Run asyncprobe ps for a list."),
            _ => throw new ProcessException(
                $"{named.Count} processes are named {named[0].Info.Name}: name one by its number "
                    + $"({string.Join(", ", named.Select(process => process.Pid.ToString(CultureInfo.InvariantCulture)))})."),
        };
    }

    /// <exception cref="ProcessException">It is not a .NET process, or cannot be reached.</exception>
    public static DotnetProcess Open(ProcessEntry entry)
    {
        if (OperatingSystem.IsLinux() && !File.Exists(ProcessFolders.Socket(entry)))
        {
            throw new ProcessException(NoSocket(entry));
        }

        var address = new RuntimeAddress(entry.Pid, ProcessFolders.Socket(entry));
        try
        {
            var info = ProcessInfo.Read(address);
            return new() { Entry = entry, Runtime = address with { Major = info.Major }, Info = info };
        }
        catch (RuntimeRefusedException e)
        {
            throw new ProcessException($"The runtime of process {entry.Pid} is older than .NET 6 and cannot be attached to.", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ProcessException(
                CurrentUser.MayReach(entry)
                    ? $"Process {entry.Pid} does not answer: {e.Message}"
                    : $"Process {entry.Pid} belongs to {UserNames.Find(entry.UserId)}: run asyncprobe as that user, or as root.", e);
        }
    }

    /// <summary>Whether its entry assembly is a part of a .NET SDK; false where the system doesn't report loaded files.</summary>
    public static bool IsOfSdk(DotnetProcess process) =>
        LoadedFiles.Find(process.Entry, process.Info.Name + ".dll") is { } file && SdkFolder.Contains(process.Entry.Root + file);

    private static string NoSocket(ProcessEntry entry) =>
        !CurrentUser.MayReach(entry)
            ? $"Process {entry.Pid} belongs to {UserNames.Find(entry.UserId)}: run asyncprobe as that user, or as root."
            : LoadedFiles.HasRuntime(entry)
                ? $"Process {entry.Pid} is a .NET process without a diagnostics socket in {ProcessFolders.Temp(entry)}: its diagnostics are "
                    + "switched off (DOTNET_EnableDiagnostics=0), or the socket was deleted."
                : $"Process {entry.Pid} is not a .NET process.";

    private static bool HasRuntime(ProcessEntry entry) => !OperatingSystem.IsLinux() || File.Exists(ProcessFolders.Socket(entry));

    private static IEnumerable<int> Pids() => OperatingSystem.IsLinux()
        ? Directory.EnumerateDirectories("/proc").Select(Path.GetFileName)
            .Select(name => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var pid) ? pid : 0)
            .Where(pid => pid > 0)
        : DiagnosticsPipes.Pids();
}
