using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Tests.Shared;

namespace AsyncProbe.Measurements;

/// <summary>The test server as a child process, optionally pinned to a core, and a client for it.</summary>
internal sealed class Server : IAsyncDisposable
{
    private readonly Process _process;

    private readonly int _lifelinePort;

    private Server(Process process, int port, int lifelinePort)
    {
        _process = process;
        _lifelinePort = lifelinePort;
        Url = $"http://127.0.0.1:{port}";
        Client = new HttpClient { BaseAddress = new Uri(Url), Timeout = TimeSpan.FromMinutes(2) };
    }

    public string Url { get; }

    public HttpClient Client { get; }

    /// <summary>The CPU time of the server's process so far.</summary>
    public TimeSpan Cpu
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    /// <param name="core">The core to pin the server to; null for all.</param>
    /// <param name="arguments">Further arguments of the test server.</param>
    public static async Task<Server> StartAsync(int? core, params string[] arguments)
    {
        var port = FreePort.Take();
        var dll = Path.Combine(AppContext.BaseDirectory, "AsyncProbe.TestServer.dll");
        var lifelinePort = FreePort.Take();
        string[] command = ["dotnet", dll, "--urls", $"http://127.0.0.1:{port}", $"--AsyncProbe:LifelinePort={lifelinePort}", .. arguments];
        var server = new Server(Start(core, command), port, lifelinePort);
        for (var attempt = 0; attempt < 100; attempt++)
        {
            try
            {
                await server.Client.GetStringAsync(new Uri("/plain", UriKind.Relative));
                return server;
            }
            catch (HttpRequestException)
            {
                await Task.Delay(100);
            }
        }

        throw new InvalidOperationException($"The test server did not answer at {server.Url} within 10 s.");
    }

    public static Process Start(int? core, IReadOnlyList<string> command)
    {
        IReadOnlyList<string> all = core is { } c ? ["taskset", "-c", $"{c}", .. command] : command;
        var start = new ProcessStartInfo(all[0], all.Skip(1)) { RedirectStandardOutput = true };
        return Process.Start(start) ?? throw new InvalidOperationException($"'{all[0]}' did not start.");
    }

    public async Task<JsonElement> ReportAsync() =>
        JsonDocument.Parse(await Client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;

    /// <summary>The same from the lifeline, which doesn't need a pool thread.</summary>
    public async Task<JsonElement> LifelineAsync() =>
        JsonDocument.Parse(await Client.GetStringAsync(new Uri($"http://127.0.0.1:{_lifelinePort}/"))).RootElement;

    public async Task<JsonElement> EndpointAsync(string endpoint) =>
        (await ReportAsync()).GetProperty("endpoints").EnumerateArray().Single(e => e.GetProperty("endpoint").GetString() == endpoint);

    /// <summary>How long the process has run, and how much of that time the garbage collector paused it.</summary>
    public async Task<(double UptimeMs, double GcPauseMs)> ProcessAsync()
    {
        var process = (await ReportAsync()).GetProperty("process");
        return (process.GetProperty("uptimeMs").GetDouble(), process.GetProperty("gcPauseMs").GetDouble());
    }

    /// <summary>Waits until no request is queued or in flight.</summary>
    public async Task DrainAsync()
    {
        for (var quiet = 0; quiet < 5;)
        {
            await Task.Delay(100);
            var report = await ReportAsync();
            var isBusy = report.GetProperty("pool").GetProperty("pending").GetInt64() > 1
                || report.GetProperty("endpoints").EnumerateArray().Any(e => e.GetProperty("inFlight").GetInt32() > 0);
            quiet = isBusy ? 0 : quiet + 1;
        }
    }

    public Task ResetAsync() => Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);

    public Task<HttpResponseMessage> GetAsync(string path) => Client.GetAsync(new Uri(path, UriKind.Relative));

    /// <summary>Whether it currently has a thread with this name, as Linux stores it.</summary>
    public bool HasThread(string name) => Directory.EnumerateDirectories($"/proc/{_process.Id}/task").Any(task =>
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm")).TrimEnd() == name;
        }
        catch (IOException)
        {
            // The thread has just ended.
            return false;
        }
    });

    /// <summary>Sends requests from several clients at once; each client sends one after the other.</summary>
    public Task SendAsync(string path, int requests, int clients, Action<HttpResponseMessage, string>? each = null)
    {
        var left = requests;
        return Task.WhenAll(Enumerable.Range(0, clients).Select(async _ =>
        {
            while (Interlocked.Decrement(ref left) >= 0)
            {
                using var response = await GetAsync(path);
                response.EnsureSuccessStatusCode();
                each?.Invoke(response, await response.Content.ReadAsStringAsync());
            }
        }));
    }

    /// <summary>Abandons requests in flight: they end with the server, and no one waits for them.</summary>
    public void Abandon(Task requests)
    {
        _ = requests.ContinueWith(static t => t.Exception, TaskScheduler.Default);
        Client.CancelPendingRequests();
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}
