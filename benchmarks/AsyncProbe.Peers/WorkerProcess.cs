using System.Diagnostics;

namespace AsyncProbe.Peers;

/// <summary>The parent's end of a worker.</summary>
internal sealed class WorkerProcess : IAsyncDisposable
{
    private readonly Process _process;

    public WorkerProcess(Variant variant)
    {
        Variant = variant;
        _process = Process.Start(new ProcessStartInfo(
            Environment.ProcessPath!, [.. Launch(), "--variant", variant.Name])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,

            // Otherwise the compiler starts to optimise only after a period without newly called methods.
            Environment = { ["DOTNET_TC_CallCountingDelayMs"] = "0" },
        })!;
    }

    public Variant Variant { get; }

    public async Task<Measured> SendAsync(Workload workload, int requests)
    {
        await _process.StandardInput.WriteLineAsync($"{workload.Path} {requests}");
        return await _process.StandardOutput.ReadLineAsync() is { } line
            ? Measured.Parse(line)
            : throw new InvalidOperationException($"The process of {Variant.Name} ended.");
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    // Started through its own host or through dotnet.
    private static string[] Launch() =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [typeof(WorkerProcess).Assembly.Location] : [];
}
