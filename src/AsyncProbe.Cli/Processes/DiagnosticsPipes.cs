using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>The diagnostics pipes of a Windows machine.</summary>
internal static class DiagnosticsPipes
{
    private const string Prefix = "dotnet-diagnostic-";

    public static IEnumerable<int> Pids() => Directory.EnumerateFiles(@"\\.\pipe\", Prefix + "*").Select(Path.GetFileName)
        .Select(name => int.TryParse(name![Prefix.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var pid) ? pid : 0)
        .Where(pid => pid > 0);
}
