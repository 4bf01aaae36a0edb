using System.Net.WebSockets;
using System.Text;

namespace AsyncProbe.Sample.Jobs;

/// <summary>
/// Calls a method of the hub over a WebSocket, as a browser would, so that a plain GET can show it. In SignalR's JSON protocol,
/// each message ends with the record separator.
/// </summary>
internal static class HubCaller
{
    private const string Separator = "\u001e";
    private const string Completed = "\"type\":3";

    public static async Task CallAsync(Uri hub, string method, int ms, CancellationToken stop)
    {
        using var socket = new ClientWebSocket();
        await socket.ConnectAsync(hub, stop);
        await SendAsync(socket, """{"protocol":"json","version":1}""", stop);
        await SendAsync(socket, $$"""{"type":1,"invocationId":"1","target":"{{method}}","arguments":[{{ms}}]}""", stop);

        // The answer to the handshake and any pings come before the completion.
        var buffer = new byte[1024];
        var received = "";
        while (!received.Contains(Completed, StringComparison.Ordinal))
        {
            var result = await socket.ReceiveAsync(buffer, stop);
            if (result.MessageType == WebSocketMessageType.Close)
            {
                throw new InvalidOperationException($"The hub closed the connection: {result.CloseStatusDescription}");
            }

            received += Encoding.UTF8.GetString(buffer, 0, result.Count);
        }

        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, stop);
    }

    private static Task SendAsync(ClientWebSocket socket, string message, CancellationToken stop) =>
        socket.SendAsync(Encoding.UTF8.GetBytes(message + Separator), WebSocketMessageType.Text, endOfMessage: true, stop);
}
