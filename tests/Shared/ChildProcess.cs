using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Shared;

/// <summary>A server in its own process: code that starves, limits or ends it must not affect the process of the tests.</summary>
internal abstract partial class ChildProcess : IAsyncDisposable
{
    public static readonly TimeSpan Timeout = Eventually.Timeout;

    private readonly ConcurrentQueue<(TimeSpan At, string Text)> _lines = new();
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly TaskCompletionSource<Uri> _address = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Uri? _listening;

    protected ChildProcess(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        Process = new Process { StartInfo = start };
        Process.OutputDataReceived += (_, line) => Read(line.Data);
        Process.ErrorDataReceived += (_, line) => Read(line.Data);
        Process.Start();
        Process.BeginOutputReadLine();
        Process.BeginErrorReadLine();
        _ = ReportEndAsync();
    }

    public Process Process { get; }

    public HttpClient Client { get; private set; } = new();

    public Uri Address => Client.BaseAddress!;

    /// <summary>Everything that the process has written so far.</summary>
    public string Output => string.Join('\n', _lines.Select(line => line.Text));

    public Task<string> TextAsync(string path) => Client.GetStringAsync(new Uri(path, UriKind.Relative));

    public async Task<JsonElement> ReportAsync() => JsonDocument.Parse(await TextAsync("/_threadpool")).RootElement;

    /// <summary>When lines that contain all the texts were read, all by the same clock.</summary>
    public IReadOnlyList<TimeSpan> TimesOf(params string[] texts) =>
        [.. _lines.Where(line => texts.All(text => line.Text.Contains(text, StringComparison.Ordinal))).Select(line => line.At)];

    /// <summary>The first line that contains the text, once there is one.</summary>
    public async Task<string> LineAsync(string text)
    {
        string? found = null;
        await Eventually.TrueAsync(() => (found = Find(text)) is not null, () => $"no line with '{text}' in:\n{Output}", Timeout);
        return found!;
    }

    public void Kill() => Process.Kill(entireProcessTree: true);

    public virtual async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (!Process.HasExited)
        {
            // A starved server doesn't react to a request to stop.
            Kill();
        }

        await Process.WaitForExitAsync().WaitAsync(Timeout);
        Process.Dispose();
    }

    /// <summary>The command line of a program next to the tests, or elsewhere.</summary>
    protected static ProcessStartInfo Dotnet(string program, params IEnumerable<string> arguments) =>
        new(Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet",
            [Path.Combine(AppContext.BaseDirectory, program), .. arguments]) { WorkingDirectory = AppContext.BaseDirectory };

    /// <summary>Waits until the server listens. If it ends or stays silent instead, this fails with all of its output.</summary>
    protected async Task ListenAsync()
    {
        try
        {
            Use(new SocketsHttpHandler { UseProxy = false, UseCookies = false }, await _address.Task.WaitAsync(Timeout));
        }
        catch (Exception e)
        {
            var output = Output;
            await DisposeAsync();
            throw e is TimeoutException ? new TimeoutException("The server does not listen. It wrote:\n" + output) : e;
        }
    }

    /// <summary>Sends requests to an address in this way from now on.</summary>
    protected void Use(SocketsHttpHandler handler, Uri address)
    {
        Client.Dispose();
        Client = new HttpClient(handler) { BaseAddress = address, Timeout = Timeout };
    }

    private string? Find(string text) =>
        _lines.Select(line => line.Text).FirstOrDefault(line => line.Contains(text, StringComparison.Ordinal));

    // The end of the process is visible before its last output; waiting for its exit also waits for that output.
    private async Task ReportEndAsync()
    {
        try
        {
            await Process.WaitForExitAsync();
        }
        catch (InvalidOperationException)
        {
            // It was disposed in the meantime, so no test is waiting for an address.
        }

        _address.TrySetException(new InvalidOperationException("The server ended. It wrote:\n" + Output));
        _ = _address.Task.Exception;
    }

    private void Read(string? line)
    {
        if (line is null)
        {
            return;
        }

        _lines.Enqueue((_clock.Elapsed, line));
        if (_listening is null && Listening().Match(line) is { Success: true } match)
        {
            _listening = new Uri(match.Groups[1].Value);
        }

        if (_listening is not null && Started().IsMatch(line))
        {
            _address.TrySetResult(_listening);
        }
    }

    // The host's line, and the sample's.
    [GeneratedRegex(@"(?:Now listening on:|^\s*start page)\s+(http://\S+)")]
    private static partial Regex Listening();

    // By now everything that starts after the server is running, such as the lifeline.
    [GeneratedRegex(@"Application started|^\s*start page\s")]
    private static partial Regex Started();
}
