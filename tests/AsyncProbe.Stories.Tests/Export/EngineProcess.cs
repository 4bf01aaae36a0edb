using System.Diagnostics;

namespace AsyncProbe.Stories.Tests.Export;

/// <summary>Runs another engine or client to its end.</summary>
internal static class EngineProcess
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(2);

    /// <param name="folder">The working folder, where its output goes; httpyac only accepts files in that folder.</param>
    /// <param name="program">Its name or path.</param>
    /// <param name="arguments">Its arguments.</param>
    public static async Task RunAsync(string folder, string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        })!;
        try
        {
            var (results, messages) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await process.WaitForExitAsync().WaitAsync(s_timeout);
            process.ExitCode.ShouldBe(0, await results + await messages);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
