using System.Collections.Concurrent;
using System.Net;
using System.Net.WebSockets;

namespace AsyncProbe.Soak;

/// <summary>
/// The callers of one phase. Each sends one request after the other until the phase is over, and counts what it sent.
/// </summary>
internal sealed class SoakLoad(SoakProcess server, CancellationToken end)
{
    private const int Callers = 8;

    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly ConcurrentDictionary<string, long> _sent = new();
    private readonly ConcurrentQueue<string> _lost = new();

    /// <summary>How many requests each endpoint was sent, by the report's endpoint names.</summary>
    public IReadOnlyDictionary<string, long> Sent => _sent;

    /// <summary>Requests that were not answered as expected, and what went wrong.</summary>
    public IReadOnlyCollection<string> Lost => _lost;

    /// <param name="isStorm">Whether to reset counts, reload endpoints and take snapshots during the phase.</param>
    public async Task RunAsync(bool isStorm)
    {
        List<Task> callers =
        [
            .. Enumerable.Range(0, Callers).Select(CallAsync),
            TalkAsync(),
            LeaveAsync(),
            OpenPageAsync("application/json"),
            OpenPageAsync("text/html"),
        ];
        if (isStorm)
        {
            callers.Add(EveryAsync(TimeSpan.FromSeconds(2), () => server.PostAsync("/_threadpool/reset")));
            callers.Add(EveryAsync(TimeSpan.FromSeconds(5), () => server.PostAsync("/_threadpool/snapshot")));
        }

        // Often enough that anything a reload leaves behind shows within a minute and a half: the framework also compiles the endpoints'
        // code again.
        callers.Add(EveryAsync(TimeSpan.FromMilliseconds(125), () => server.PostAsync("/control/reload")));
        await Task.WhenAll(callers);
    }

    private async Task CallAsync(int caller)
    {
        string[] paths =
        [
            "/plain", "/awaits", "/wait", "/lock", "/after", "/reloaded/{0}", "/plain", "/throw", "/awaits", "/wait", "/sleep",
        ];
        for (var i = caller; !end.IsCancellationRequested; i++)
        {
            var path = string.Format(null, paths[i % paths.Length], i / paths.Length % ReloadedEndpoints.Number);
            var expected = path == "/throw" ? HttpStatusCode.InternalServerError : HttpStatusCode.OK;
            await SendAsync(path, async client =>
            {
                using var response = await client.GetAsync(new Uri(path, UriKind.Relative));
                return response.StatusCode == expected ? null : $"{response.StatusCode}";
            });
            await PauseAsync(s_between);
        }
    }

    /// <summary>Abandons requests that would never end, once their responses have begun.</summary>
    private async Task LeaveAsync()
    {
        while (!end.IsCancellationRequested)
        {
            await SendAsync("/endless", async client =>
            {
                using var response = await client.GetAsync(new Uri("/endless", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
                using var body = await response.Content.ReadAsStreamAsync();
                return await body.ReadAsync(new byte[16].AsMemory()) > 0 ? null : "ended";
            });
            await PauseAsync(TimeSpan.FromMilliseconds(200));
        }
    }

    /// <summary>Opens one WebSocket after the other, with fifty messages each.</summary>
    private async Task TalkAsync()
    {
        while (!end.IsCancellationRequested)
        {
            await SendAsync("/socket", async _ =>
            {
                using var socket = new ClientWebSocket();
                using var patience = new CancellationTokenSource(s_patience);
                await socket.ConnectAsync(new UriBuilder(server.Url) { Scheme = "ws", Path = "/socket" }.Uri, patience.Token);
                var buffer = new byte[64];
                for (var i = 0; i < 50 && !end.IsCancellationRequested; i++)
                {
                    await socket.SendAsync("message"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, patience.Token);
                    if ((await socket.ReceiveAsync(buffer, patience.Token)).Count != "message".Length)
                    {
                        return "another message came back";
                    }

                    await PauseAsync(s_between);
                }

                await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, patience.Token);
                return null;
            });
        }
    }

    /// <summary>Sends requests like an open page.</summary>
    private Task OpenPageAsync(string accept) => EveryAsync(TimeSpan.FromSeconds(1), async () =>
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/_threadpool?history=10");
        request.Headers.Accept.ParseAdd(accept);
        using var response = await server.Client.SendAsync(request);
        if (response.StatusCode != HttpStatusCode.OK)
        {
            _lost.Enqueue($"the report: {response.StatusCode}");
        }
    });

    private async Task EveryAsync(TimeSpan pause, Func<Task> act)
    {
        while (!end.IsCancellationRequested)
        {
            try
            {
                await act();
            }
            catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
            {
                _lost.Enqueue($"the report: {e.Message}");
            }

            await PauseAsync(pause);
        }
    }

    /// <param name="path">The path to request.</param>
    /// <param name="send">Sends the request, and returns what was wrong with the answer.</param>
    private async Task SendAsync(string path, Func<HttpClient, Task<string?>> send)
    {
        string? fault;
        try
        {
            fault = await send(server.Client);
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException or WebSocketException or IOException)
        {
            fault = e.Message;
        }

        _sent.AddOrUpdate($"GET {path}", 1, (_, count) => count + 1);
        if (fault is not null)
        {
            _lost.Enqueue($"{path}: {fault}");
        }
    }

    private Task PauseAsync(TimeSpan pause) => Task.Delay(pause, end).ContinueWith(static _ => { }, TaskScheduler.Default);
}
