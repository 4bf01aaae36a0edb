using System.Diagnostics;
using System.Globalization;
using System.Reflection;

namespace AsyncProbe.Peers;

/// <summary>The parent's end of a worker.</summary>
internal sealed class WorkerProcess : IAsyncDisposable
{
    private readonly Process _process;

    private WorkerProcess(Variant variant)
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

    public static async Task<WorkerProcess> StartAsync(Variant variant)
    {
        var worker = new WorkerProcess(variant);
        foreach (var workload in Workload.All)
        {
            // The first answer shows that the application has started.
            await worker.SendAsync(workload, 1);
        }

        if (variant.Attached != AttachedProbe.Never)
        {
            await worker.RunCommandAsync("attach", "--keep", "-s", "1", "--json");
        }

        if (variant.Attached == AttachedProbe.Once)
        {
            foreach (var workload in Workload.All)
            {
                await worker.SendAsync(workload, 1000);
            }

            await worker.RunCommandAsync("detach");
        }

        return worker;
    }

    public async Task<Measured> SendAsync(Workload workload, int requests) =>
        Measured.Parse(await AskAsync($"{workload.Path} {requests}"));

    /// <summary>How many requests the worker answers a second on a number of cores, each with a thread of its own.</summary>
    public async Task<double> RateOnAsync(int cores, Workload workload, int requests) =>
        double.Parse(await AskAsync($"{workload.Path} {requests} {cores}"), CultureInfo.InvariantCulture);

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    private async Task<string> AskAsync(string question)
    {
        await _process.StandardInput.WriteLineAsync(question);
        return await _process.StandardOutput.ReadLineAsync()
            ?? throw new InvalidOperationException($"The process of {Variant.Name} ended.");
    }

    private async Task RunCommandAsync(string verb, params string[] options)
    {
        var library = typeof(WorkerProcess).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(m => m.Key == "Command").Value!;
        using var command = Process.Start(new ProcessStartInfo(
            "dotnet", [library, verb, _process.Id.ToString(CultureInfo.InvariantCulture), .. options])
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        var results = command.StandardOutput.ReadToEndAsync();
        var messages = await command.StandardError.ReadToEndAsync();
        await results;
        await command.WaitForExitAsync();
        if (command.ExitCode != 0)
        {
            throw new InvalidOperationException($"asyncprobe {verb} ended with exit code {command.ExitCode}: {messages}");
        }
    }

    // Started through its own host or through dotnet.
    private static string[] Launch() =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [typeof(WorkerProcess).Assembly.Location] : [];
}
