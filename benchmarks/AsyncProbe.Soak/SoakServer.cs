using System.Diagnostics;
using System.Net.WebSockets;

namespace AsyncProbe.Soak;

/// <summary>
/// An app that does everything that may leave something behind: it blocks, throws, is abandoned by its callers, and holds conversations
/// that last minutes.
/// </summary>
internal static class SoakServer
{
    private static readonly Lock s_lock = new();

    public static async Task RunAsync(string[] args)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        using var exceptions = new SoakExceptions();
        builder.Logging.ClearProviders().AddProvider(exceptions).SetMinimumLevel(LogLevel.Debug).AddFilter("Microsoft", LogLevel.Warning);
        builder.Services.AddAsyncProbe().AddStackSnapshots();
        using var reloaded = new ReloadedEndpoints();

        var app = builder.Build();
        app.UseAsyncProbe();
        app.UseWebSockets();
        app.MapAsyncProbe();
        ((IEndpointRouteBuilder)app).DataSources.Add(reloaded);
        MapLoad(app);
        app.MapPost("/control/reload", reloaded.Reload);
        app.MapGet("/control/state", () => State(exceptions));
        await app.RunAsync();
    }

    private static void MapLoad(WebApplication app)
    {
        app.MapGet("/plain", () => "ok");
        app.MapGet("/awaits", async () =>
        {
            for (var i = 0; i < 5; i++)
            {
                await Task.Yield();
            }

            await Task.Delay(5);
            return "ok";
        });
        app.MapGet("/wait", () => Task.Delay(3).Wait());
        app.MapGet("/lock", () =>
        {
            lock (s_lock)
            {
                Thread.Sleep(2);
            }
        });
        app.MapGet("/sleep", () => Thread.Sleep(250));
        app.MapGet("/throw", async Task<string> () =>
        {
            await Task.Yield();
            throw new InvalidOperationException("on purpose");
        });
        app.MapGet("/after", (HttpContext context) =>
        {
            _ = Task.Run(() => Thread.Sleep(2));
            context.Response.OnCompleted(() => Task.CompletedTask);
            return "ok";
        });
        app.MapGet("/endless", async (HttpContext context) =>
        {
            await context.Response.WriteAsync("first");
            await context.Response.Body.FlushAsync();
            await Task.Delay(Timeout.InfiniteTimeSpan, context.RequestAborted);
        });
        app.MapGet("/socket", EchoAsync);
    }

    /// <summary>Blocks at every message until the caller stops.</summary>
    private static async Task EchoAsync(HttpContext context)
    {
        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        var buffer = new byte[64];
        while (await socket.ReceiveAsync(
            buffer.AsMemory(), CancellationToken.None) is { MessageType: not WebSocketMessageType.Close } message)
        {
            Task.Delay(2).Wait();
            await socket.SendAsync(
                buffer.AsMemory(0, message.Count), WebSocketMessageType.Text, endOfMessage: true, CancellationToken.None);
        }

        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
    }

    private static ServerState State(SoakExceptions exceptions)
    {
        for (var i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        using var process = Process.GetCurrentProcess();
        int? descriptors = Directory.Exists("/proc/self/fd") ? Directory.GetFiles("/proc/self/fd").Length : null;
        return new ServerState(
            GC.GetTotalMemory(forceFullCollection: true), process.WorkingSet64, process.HandleCount, descriptors, process.Threads.Count,
            exceptions.Count, exceptions.Samples);
    }
}
