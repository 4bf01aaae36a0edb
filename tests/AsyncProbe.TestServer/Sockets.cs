using System.Net.WebSockets;

namespace AsyncProbe.TestServer;

/// <summary>A WebSocket that returns what it receives.</summary>
internal static class Sockets
{
    public static async Task EchoAsync(HttpContext context)
    {
        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        var buffer = new byte[256];
        while (await socket.ReceiveAsync(buffer, context.RequestAborted) is { MessageType: not WebSocketMessageType.Close } message)
        {
            await socket.SendAsync(buffer.AsMemory(0, message.Count), message.MessageType, message.EndOfMessage, context.RequestAborted);
        }

        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, context.RequestAborted);
    }
}
