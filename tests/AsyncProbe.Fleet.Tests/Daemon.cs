using System.Collections.Concurrent;
using System.Diagnostics;

namespace AsyncProbe.Fleet.Tests;

/// <summary>Prometheus, Alertmanager or nginx on a loopback port, with its own files in a temporary folder.</summary>
internal sealed class Daemon : IAsyncDisposable
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private readonly ConcurrentQueue<string> _lines = new();
    private readonly Process _process;
    private readonly string? _ready;

    private Daemon(string program, IEnumerable<string> arguments, int port, string? ready)
    {
        _ready = ready;
        Client = new HttpClient(new SocketsHttpHandler { UseProxy = false })
        {
            BaseAddress = new Uri($"http://127.0.0.1:{port}"),
            Timeout = s_timeout,
        };
        _process = new Process
        {
            StartInfo = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true },
        };
        _process.OutputDataReceived += (_, line) => _lines.Enqueue(line.Data ?? "");
        _process.ErrorDataReceived += (_, line) => _lines.Enqueue(line.Data ?? "");
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public HttpClient Client { get; }

    /// <summary>Everything that it has written.</summary>
    public string Output => string.Join('\n', _lines);

    /// <param name="program">The program.</param>
    /// <param name="port">The port that it listens on.</param>
    /// <param name="ready">The path that answers 200 once it is ready; null for a program that is ready as soon as it listens.</param>
    /// <param name="arguments">Its arguments.</param>
    public static async Task<Daemon> StartAsync(string program, int port, string? ready, params IEnumerable<string> arguments)
    {
        var daemon = new Daemon(program, arguments, port, ready);
        try
        {
            await Eventually.TrueAsync(daemon.AnswersAsync, () => $"{program} is not ready. It wrote:\n{daemon.Output}", s_timeout);
            return daemon;
        }
        catch
        {
            await daemon.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        await _process.WaitForExitAsync().WaitAsync(s_timeout);
        _process.Dispose();
    }

    private async Task<bool> AnswersAsync()
    {
        _process.HasExited.ShouldBeFalse(Output);
        try
        {
            // Prometheus listens before it has read its files, and refuses queries until then.
            using var response = await Client.GetAsync(new Uri(_ready ?? "/", UriKind.Relative));
            return _ready is null || response.IsSuccessStatusCode;
        }
        catch (HttpRequestException)
        {
            return false;
        }
    }
}
