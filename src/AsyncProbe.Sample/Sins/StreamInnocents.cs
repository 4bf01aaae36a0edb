using System.Net.ServerSentEvents;
using System.Net.WebSockets;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Sample.Sins;

/// <summary>Long requests that don't hold a thread.</summary>
internal static class StreamInnocents
{
    public static Task Events(HttpContext context, int ms) =>
        TypedResults.ServerSentEvents(TicksAsync(ms, context.RequestAborted)).ExecuteAsync(context);

    public static async Task LongPoll(HttpContext context, int ms)
    {
        var news = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Holder.After(ms, news.SetResult);
        await news.Task.WaitAsync(context.RequestAborted);
    }

    public static async Task Echo(HttpContext context, int ms)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status426UpgradeRequired;
            await context.Response.WriteAsync("Come with a WebSocket.");
            return;
        }

        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        var buffer = new byte[1024];
        while (await socket.ReceiveAsync(buffer, context.RequestAborted) is { MessageType: not WebSocketMessageType.Close } message)
        {
            await socket.SendAsync(buffer.AsMemory(0, message.Count), message.MessageType, message.EndOfMessage, context.RequestAborted);
        }

        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, context.RequestAborted);
    }

    private static async IAsyncEnumerable<SseItem<string>> TicksAsync(int ms, [EnumeratorCancellation] CancellationToken cancellation)
    {
        const int TickMs = 10;
        for (var waited = 0; waited < ms; waited += TickMs)
        {
            await Task.Delay(TickMs, cancellation);
            yield return new SseItem<string>("tick");
        }
    }
}
