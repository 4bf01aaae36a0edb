using System.Globalization;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// The socket on which the runtime takes requests for event sessions, its own process's included. Its folder is shared: sockets of other
/// processes with this number lie there too, of containers for example, and anybody may put one there that looks newer.
/// </summary>
internal static class DiagnosticsSocket
{
    private static string? s_own;

    /// <summary>Its path, with the process's start time in its name.</summary>
    public static string Own => s_own ?? Find();

    public static RuntimeAddress Address => new(Environment.ProcessId, Own, WhyNot);

    private static readonly string[] s_switches = ["EnableDiagnostics", "EnableDiagnostics_IPC"];

    /// <summary>Why this process cannot ask its runtime, as a sentence; null when it can.</summary>
    public static string? WhyNot()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
        {
            return "AsyncProbe knows threads by their number on Linux and Windows only, so a stack belongs to no request here.";
        }

        // Windows has a pipe in its place, which needs no folder.
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

        // Asked again if the process had no descriptor left to ask with.
        s_own = startTime is null ? null : path;
        return path;
    }

    // As the runtime does: the 22nd number that Linux shows for a process, in ticks since the machine started. The second may hold spaces.
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
