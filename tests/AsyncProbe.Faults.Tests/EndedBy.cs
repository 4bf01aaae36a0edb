namespace AsyncProbe.Faults.Tests;

/// <summary>Who ended a process, by what it wrote last.</summary>
internal static class EndedBy
{
    /// <summary>Whether an unhandled exception has a frame of AsyncProbe.</summary>
    public static bool Us(string output) =>
        output.Split('\n').SkipWhile(line => !line.Contains("Unhandled exception", StringComparison.Ordinal)).Any(line =>
            line.Contains("AsyncProbe.", StringComparison.Ordinal) && !line.Contains("AsyncProbe.FaultHost", StringComparison.Ordinal));
}
