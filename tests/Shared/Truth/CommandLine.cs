using System.Diagnostics;

namespace AsyncProbe.Tests.Truth;

/// <summary>The built <c>asyncprobe</c>, run as a shell would.</summary>
internal static class CommandLine
{
    // Built beside these tests: the same configuration, the same framework.
    private static readonly string s_program = Path.Combine(
        Repository.Folder, "src", "AsyncProbe.Cli", "bin", Path.GetRelativePath(Path.Combine(AppContext.BaseDirectory, "..", ".."), AppContext.BaseDirectory), "asyncprobe.dll");

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    /// <returns>What it printed to its standard output.</returns>
    public static async Task<string> RunAsync(params IEnumerable<string> arguments)
    {
        using var process = Process.Start(new ProcessStartInfo("dotnet", [s_program, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        try
        {
            var (results, messages) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await process.WaitForExitAsync().WaitAsync(s_patience);
            process.ExitCode.ShouldBe(0, await messages);
            return await results;
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill();
            }
        }
    }
}
