using System.Globalization;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Processes;

/// <summary>The diagnostics pipes of a Windows machine.</summary>
internal static class DiagnosticsPipes
{
    private const string Pipes = @"\\.\pipe\";
    private const string Prefix = "dotnet-diagnostic-";

    /// <exception cref="ProcessException">The system doesn't list its pipes; Wine doesn't.</exception>
    public static IReadOnlyList<int> Pids()
    {
        try
        {
            return [.. Directory.EnumerateFiles(Pipes, Prefix + "*").Select(Path.GetFileName).Select(Pid).Where(pid => pid > 0)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ProcessException($"The pipes in {Pipes} can't be listed ({e.Message}): name the process by its number.", e);
        }
    }

    private static int Pid(string? pipe) =>
        int.TryParse(pipe![Prefix.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var pid) ? pid : 0;
}
