using System.Diagnostics;

namespace AsyncProbe.Packages.Tests;

/// <summary>Runs a program to its end and keeps its output.</summary>
internal static class Commands
{
    // In CI these commands get only the cores that are otherwise idle.
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(15);

    /// <summary>
    /// For builds of this repository. The analyzers take most of a build's time, and already checked this code in the build of the
    /// tests.
    /// </summary>
    public static IReadOnlyDictionary<string, string> WithoutAnalyzers { get; } =
        new Dictionary<string, string> { ["RunAnalyzers"] = "false" };

    public static async Task<string> RunAsync(string folder, IReadOnlyDictionary<string, string> environment, params string[] command)
    {
        using var process = Start(folder, environment, command);
        using var timeout = new CancellationTokenSource(s_timeout);
        var output = process.StandardOutput.ReadToEndAsync(timeout.Token);
        var errors = process.StandardError.ReadToEndAsync(timeout.Token);
        await process.WaitForExitAsync(timeout.Token);
        var text = await output + await errors;
        process.ExitCode.ShouldBe(0, $"{string.Join(' ', command)}\n{text}");
        return text;
    }

    public static Process Start(string folder, IReadOnlyDictionary<string, string> environment, params string[] command)
    {
        var start = new ProcessStartInfo(command[0], command.Skip(1))
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // Keep the build under test independent of the build that runs the tests.
        foreach (var name in start.Environment.Keys.Where(k => k.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
        {
            start.Environment.Remove(name);
        }

        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        return Process.Start(start).ShouldNotBeNull();
    }
}
