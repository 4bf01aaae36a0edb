using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Tests;

/// <summary>The test server in a process of its own: what starves a pool must not starve the one that the tests run on.</summary>
internal sealed partial class ServerProcess : IAsyncDisposable
{
    public static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);

    private readonly Process _process;
    private readonly ConcurrentQueue<(TimeSpan At, string Text)> _lines = new();
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly TaskCompletionSource<Uri> _address = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private ServerProcess(Action<ProcessStartInfo>? configure, params string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = AppContext.BaseDirectory,
        };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "AsyncProbe.TestServer.dll"));
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        configure?.Invoke(start);
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, e) => Note(e.Data);
        _process.ErrorDataReceived += (_, e) => Note(e.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public HttpClient Client { get; private set; } = null!;

    public int Id => _process.Id;

    public bool HasExited => _process.HasExited;

    public string LogText => string.Join('\n', _lines.Select(l => l.Text));

    public static Task<ServerProcess> StartAsync(params string[] arguments) => StartAsync(null, arguments);

    /// <param name="configure">Changes what is started, and in which surroundings.</param>
    /// <param name="arguments">The server's.</param>
    public static async Task<ServerProcess> StartAsync(Action<ProcessStartInfo>? configure, params string[] arguments)
    {
        var server = new ServerProcess(configure, ["--urls", "http://127.0.0.1:0", "--log", "Information", .. arguments]);
        var address = await server._address.Task.WaitAsync(Timeout);
        server.Client = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = address, Timeout = Timeout };
        return server;
    }

    /// <summary>When lines that hold all the texts were read, by one clock.</summary>
    public IReadOnlyList<TimeSpan> TimesOf(params string[] texts) =>
        [.. _lines.Where(l => texts.All(text => l.Text.Contains(text, StringComparison.Ordinal))).Select(l => l.At)];

    /// <summary>Waits for a line that holds the text, and says how long it took from now.</summary>
    public async Task<(string Line, TimeSpan After)> LineAsync(string text, TimeSpan? within = null)
    {
        var from = _clock.Elapsed;
        var deadline = from + (within ?? Timeout);
        while (true)
        {
            foreach (var (at, line) in _lines)
            {
                if (line.Contains(text, StringComparison.Ordinal))
                {
                    return (line, at - from);
                }
            }

            (_clock.Elapsed < deadline).ShouldBeTrue($"no line with '{text}' within {within ?? Timeout} in:\n{LogText}");
            await Task.Delay(20);
        }
    }

    public async Task<JsonElement> ReportAsync() =>
        JsonDocument.Parse(await Client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;

    public void Kill() => _process.Kill(entireProcessTree: true);

    public async ValueTask DisposeAsync()
    {
        Client?.Dispose();
        if (!_process.HasExited)
        {
            // A starved server does not hear a request to stop.
            Kill();
        }

        await _process.WaitForExitAsync().WaitAsync(Timeout);
        _process.Dispose();
    }

    private void Note(string? line)
    {
        if (line is null)
        {
            return;
        }

        _lines.Enqueue((_clock.Elapsed, line));
        if (Listening().Match(line) is { Success: true } match)
        {
            _address.TrySetResult(new Uri(match.Groups[1].Value));
        }
    }

    [GeneratedRegex(@"Now listening on: (http://\S+)")]
    private static partial Regex Listening();
}
