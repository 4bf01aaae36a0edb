namespace AsyncProbe.StackSnapshots;

/// <summary>The socket on which the runtime takes requests for event sessions, its own process's included.</summary>
internal static class DiagnosticsSocket
{
    private static readonly string[] s_switches = ["EnableDiagnostics", "EnableDiagnostics_IPC"];

    /// <summary>Why this process cannot ask its runtime, as a sentence; null when it can.</summary>
    public static string? WhyNot()
    {
        if (!OperatingSystem.IsLinux())
        {
            return "AsyncProbe knows threads by their number on Linux only, so a stack belongs to no request here.";
        }

        if (Exists())
        {
            return null;
        }

        return SwitchedOff() is { } name
            ? $"diagnostics are switched off by {name}=0. Remove it to let the runtime look at its own threads."
            : $"the runtime has no diagnostics socket in {Path.GetTempPath()}. It makes one there when the process starts: set TMPDIR to a folder that can be written, "
                + "in a container with a read-only root to a mounted one, and leave diagnostics on.";
    }

    private static string? SwitchedOff() =>
        s_switches.SelectMany(name => new[] { "DOTNET_" + name, "COMPlus_" + name }).FirstOrDefault(name => Environment.GetEnvironmentVariable(name) is "0");

    private static bool Exists()
    {
        try
        {
            return Directory.EnumerateFiles(Path.GetTempPath(), $"dotnet-diagnostic-{Environment.ProcessId}-*-socket").Any();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
