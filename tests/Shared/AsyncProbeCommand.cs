using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Tests.Shared;

/// <summary>The built <c>asyncprobe</c>, run as from a shell.</summary>
internal sealed record AsyncProbeCommand(int ExitCode, string Results, string Messages)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(3);

    /// <summary>Built next to these tests, with the same configuration and framework.</summary>
    public static string Program { get; } = Path.Combine(
        Repository.Folder, "src", "AsyncProbe.Cli", "bin",
        Path.GetRelativePath(Path.Combine(AppContext.BaseDirectory, "..", ".."), AppContext.BaseDirectory), "asyncprobe.dll");

    public JsonElement Json => JsonDocument.Parse(Results).RootElement;

    /// <summary>A session file in the folder <c>websurge</c>.</summary>
    public static string Session(string name) => Path.Combine(Repository.Folder, "websurge", name + ".websurge");

    /// <summary>Its standard output; it must end with exit code 0.</summary>
    public static async Task<string> ResultsAsync(params IEnumerable<string> arguments)
    {
        var command = await RunAsync(arguments);
        command.ExitCode.ShouldBe(0, command.Messages);
        return command.Results;
    }

    public static async Task<AsyncProbeCommand> RunAsync(params IEnumerable<string> arguments)
    {
        using var process = Process.Start(new ProcessStartInfo("dotnet", [Program, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        try
        {
            var (results, messages) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await process.WaitForExitAsync().WaitAsync(s_timeout);
            return new(process.ExitCode, await results, await messages);
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
