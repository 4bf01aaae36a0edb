using System.Globalization;

namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>
/// The socket on which the runtime accepts requests for event sessions, including those from its own process. The folder is shared: it may
/// contain sockets of other processes with the same id, for example in containers, and any user could create one there that looks newer.
/// </summary>
internal static class DiagnosticsSocket
{
    private static string? s_own;

    /// <summary>The socket's path, which includes the process's start time.</summary>
    public static string Own => s_own ?? Find();

    public static RuntimeAddress Address => new(Environment.ProcessId, Own, WhyNot);

    private static readonly string[] s_switches = ["EnableDiagnostics", "EnableDiagnostics_IPC"];

    /// <summary>Why this process cannot connect to its own runtime, as a sentence; null when it can.</summary>
    public static string? WhyNot()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
        {
            return "AsyncProbe knows threads by their number on Linux and Windows only, so a stack belongs to no request here.";
        }

        // Windows uses a pipe instead, which needs no folder.
        var switchedOff = SwitchedOff();
        if (OperatingSystem.IsWindows() ? switchedOff is null : File.Exists(Own))
        {
            return null;
        }

        return switchedOff is { } name
            ? $"diagnostics are switched off by {name}=0. Remove it to let the runtime look at its own threads."
            : $"the runtime has no diagnostics socket in {Path.GetTempPath()}. It makes one there when the process starts: set TMPDIR to "
                + "a folder that can be written, "
                + "in a container with a read-only root to a mounted one, and leave diagnostics on.";
    }

    private static string? SwitchedOff() =>
        s_switches.SelectMany(name => new[] { "DOTNET_" + name, "COMPlus_" + name })
            .FirstOrDefault(name => Environment.GetEnvironmentVariable(name) is "0");

    private static string Find()
    {
        var startTime = StartTime();
        var path = Path.Combine(
            Path.GetTempPath(),
            string.Create(CultureInfo.InvariantCulture, $"dotnet-diagnostic-{Environment.ProcessId}-{startTime ?? "0"}-socket"));

        // If the process had no file descriptor left to read the start time, try again at the next use.
        s_own = startTime is null ? null : path;
        return path;
    }

    // Like the runtime, uses the 22nd field, in clock ticks since boot. The second field may contain spaces.
    private static string? StartTime()
    {
        try
        {
            var stat = File.ReadAllText("/proc/self/stat");
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[19];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or IndexOutOfRangeException)
        {
            return null;
        }
    }
}
