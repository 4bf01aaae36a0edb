using System.Net.WebSockets;
using System.Text;
using System.Text.Json;

namespace AsyncProbe.Tests.Shared;

/// <summary>Speaks SignalR's JSON protocol over a WebSocket: messages are JSON and end with the record separator.</summary>
internal sealed class HubClient : IAsyncDisposable
{
    private const char Separator = '\u001e';
    private const int Completion = 3;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private readonly ClientWebSocket _socket = new();
    private readonly StringBuilder _received = new();
    private int _calls;

    private HubClient()
    {
    }

    public static async Task<HubClient> ConnectAsync(Uri application, string path)
    {
        var client = new HubClient();
        using var stop = new CancellationTokenSource(s_timeout);
        await client._socket.ConnectAsync(new UriBuilder(new Uri(application, path)) { Scheme = "ws" }.Uri, stop.Token);
        await client.SendAsync("""{"protocol":"json","version":1}""", stop.Token);
        (await client.ReceiveAsync(stop.Token)).ShouldBe("{}");
        return client;
    }

    public async Task<int> InvokeAsync(string method, int argument)
    {
        using var stop = new CancellationTokenSource(s_timeout);
        var id = (++_calls).ToString(System.Globalization.CultureInfo.InvariantCulture);
        await SendAsync(
            JsonSerializer.Serialize(new { type = 1, invocationId = id, target = method, arguments = new[] { argument } }), stop.Token);
        while (true)
        {
            // In between come pings and the hub's messages to all clients.
            using var message = JsonDocument.Parse(await ReceiveAsync(stop.Token));
            var root = message.RootElement;
            if (root.GetProperty("type").GetInt32() == Completion && root.GetProperty("invocationId").GetString() == id)
            {
                root.TryGetProperty("error", out var error).ShouldBeFalse(error.ToString());
                return root.GetProperty("result").GetInt32();
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        using var stop = new CancellationTokenSource(s_timeout);
        await _socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, stop.Token);
        _socket.Dispose();
    }

    private Task SendAsync(string message, CancellationToken stop) =>
        _socket.SendAsync(Encoding.UTF8.GetBytes(message + Separator), WebSocketMessageType.Text, endOfMessage: true, stop);

    private async Task<string> ReceiveAsync(CancellationToken stop)
    {
        var buffer = new byte[4096];
        while (true)
        {
            var all = _received.ToString();
            var end = all.IndexOf(Separator, StringComparison.Ordinal);
            if (end >= 0)
            {
                _received.Remove(0, end + 1);
                return all[..end];
            }

            var result = await _socket.ReceiveAsync(buffer, stop);
            result.MessageType.ShouldBe(WebSocketMessageType.Text);
            _received.Append(Encoding.UTF8.GetString(buffer, 0, result.Count));
        }
    }
}
