using System.Diagnostics;

namespace AsyncProbe.Fleet.Tests;

/// <summary>A program that runs to its end: promtool, amtool, the TypeScript compiler.</summary>
internal static class Tool
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(3);

    public static string Deploy(params string[] parts) => Path.Combine([Repository.Folder, "deploy", .. parts]);

    /// <returns>Its standard output.</returns>
    public static async Task<string> RunAsync(string program, IEnumerable<string> arguments, string? input = null)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        using var process = Process.Start(start)!;
        var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        if (input is not null)
        {
            await process.StandardInput.WriteAsync(input);
        }

        process.StandardInput.Close();
        try
        {
            await process.WaitForExitAsync().WaitAsync(s_timeout);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }

        process.ExitCode.ShouldBe(0, $"{program} {string.Join(' ', start.ArgumentList)}:\n{await output}{await errors}");
        return await output;
    }
}
