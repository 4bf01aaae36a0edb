using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Truth.Tests;

/// <summary>The server with its rows, in a process of its own.</summary>
internal sealed partial class TruthProcess : IAsyncDisposable
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly ConcurrentQueue<string> _lines = new();
    private readonly TaskCompletionSource<Uri> _address = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private TruthProcess(ProcessStartInfo start)
    {
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, e) => Note(e.Data);
        _process.ErrorDataReceived += (_, e) => Note(e.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public string Log => string.Join('\n', _lines);

    public Uri Address => _address.Task.Result;

    public static async Task<TruthProcess> StartAsync(RuntimeSetting setting, string rows)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = AppContext.BaseDirectory,
            ArgumentList =
            {
                Path.Combine(AppContext.BaseDirectory, "AsyncProbe.TruthServer.dll"),
                "--urls", "http://127.0.0.1:0",
                "--rows", rows,
                "--environment", setting.IsDevelopment ? "Development" : "Production",
                "--snapshots", setting.HasSnapshots ? "true" : "false",
                "--AsyncProbe:AllowRemote", "true",
                "--AsyncProbe:UserAssemblies:0", Generator.RowCompiler.AssemblyName,
                "--AsyncProbe:MaxWarningsPerHour", "10000",
                "--AsyncProbe:StackSnapshots:Interval", "00:00:01",
            },
            // As many threads as clients at once: a starved pool is not what is judged here.
            Environment = { ["DOTNET_ThreadPool_ForceMinWorkerThreads"] = "40", ["NO_COLOR"] = "1" },
        };
        if (!setting.IsLoud)
        {
            start.Environment["Logging__LogLevel__Microsoft.AspNetCore"] = "Warning";
        }

        foreach (var (name, value) in setting.Environment)
        {
            start.Environment[name] = value;
        }

        var server = new TruthProcess(start);
        try
        {
            await server._address.Task.WaitAsync(Patience);
            return server;
        }
        catch (TimeoutException)
        {
            var log = server.Log;
            await server.DisposeAsync();
            throw new TimeoutException("The truth server did not start:\n" + log);
        }
    }

    public async Task<JsonElement> JsonAsync(HttpClient client, string path) => JsonDocument.Parse(await client.GetStringAsync(new Uri(Address, path))).RootElement;

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        await _process.WaitForExitAsync().WaitAsync(Patience);
        _process.Dispose();
    }

    private void Note(string? line)
    {
        if (line is null)
        {
            return;
        }

        _lines.Enqueue(line);
        if (Listening().Match(line) is { Success: true } match)
        {
            _address.TrySetResult(new Uri(match.Groups[1].Value));
        }
    }

    [GeneratedRegex(@"Now listening on: (http://\S+)")]
    private static partial Regex Listening();
}
