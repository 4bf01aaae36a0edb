using System.Net.WebSockets;

namespace Shop;

/// <summary>Requests that end in an unusual way.</summary>
internal static class Sockets
{
    /// <summary>No exception handler can help once the response has begun.</summary>
    public static async Task ThrowLateAsync(HttpContext context)
    {
        await context.Response.WriteAsync("begun");
        await context.Response.Body.FlushAsync();
        throw new InvalidOperationException("as asked");
    }

    /// <summary>Answers each message, and blocks for each.</summary>
    public static async Task EchoAsync(HttpContext context)
    {
        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        var buffer = new byte[100];
        while (await socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None) is { MessageType: not WebSocketMessageType.Close } message)
        {
            Waits.Load(30).Wait(); // blocks: /socket
            await socket.SendAsync(buffer.AsMemory(0, message.Count), message.MessageType, message.EndOfMessage, CancellationToken.None);
        }

        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
    }
}
