using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Blocking;

/// <summary>Long requests that don't block a thread: no call site, and almost no blocked time.</summary>
public sealed class InnocentRequestsTests
{
    private const int Ms = 1000;

    // Sometimes the machine blocks a thread for a memory page or a lock of the runtime. A thread that really waited would be blocked for a
    // second.
    private const double HardlyMs = 300;

    [Fact]
    public async Task LongPoll_IsSilent()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/poll", async context =>
        {
            await Task.Delay(Ms, context.RequestAborted);
            await context.Response.WriteAsync("news");
        }));

        await app.GetManyAsync("/poll", 1);

        await ShouldBeSilentAsync(app, "GET /poll");
    }

    [Fact]
    public async Task EventStream_IsSilent()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/events", async context =>
        {
            context.Response.ContentType = "text/event-stream";
            for (var i = 0; i < 6; i++)
            {
                await context.Response.WriteAsync($"data: {i}\n\n");
                await context.Response.Body.FlushAsync();
                await Task.Delay(Ms / 6);
            }
        }));

        (await app.Client.GetStringAsync(new Uri("/events", UriKind.Relative))).ShouldContain("data: 5");

        await ShouldBeSilentAsync(app, "GET /events");
    }

    [Fact]
    public async Task WebSocket_IsSilent()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseWebSockets();
            a.MapGet("/socket", async context =>
            {
                using var socket = await context.WebSockets.AcceptWebSocketAsync();
                var buffer = new byte[16];
                while (await socket.ReceiveAsync(buffer, CancellationToken.None) is { MessageType: not WebSocketMessageType.Close } message)
                {
                    await socket.SendAsync(buffer.AsMemory(0, message.Count), message.MessageType, true, CancellationToken.None);
                }

                await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
            });
        });

        using var client = new ClientWebSocket();
        using var timeout = new CancellationTokenSource(ProbedApp.Timeout);
        await client.ConnectAsync(new UriBuilder(app.Client.BaseAddress!) { Scheme = "ws", Path = "/socket" }.Uri, timeout.Token);
        for (var i = 0; i < 6; i++)
        {
            await client.SendAsync(new byte[] { 1 }, WebSocketMessageType.Binary, true, timeout.Token);
            await client.ReceiveAsync(new byte[16], timeout.Token);
            await Task.Delay(Ms / 6);
        }

        await client.CloseAsync(WebSocketCloseStatus.NormalClosure, null, timeout.Token);

        await ShouldBeSilentAsync(app, "GET /socket");
    }

    [Fact]
    public async Task SlowClientsDownload_IsSilent()
    {
        // More than the buffers of the server and the kernel hold, so that the server has to wait for the client.
        const int Chunks = 256;
        var chunk = new byte[64 * 1024];
        var server = System.Diagnostics.Stopwatch.StartNew();
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/download", async context =>
        {
            server.Restart();
            started.SetResult();
            for (var i = 0; i < Chunks; i++)
            {
                await context.Response.Body.WriteAsync(chunk);
            }

            server.Stop();
        }));

        var received = await DownloadSlowlyAsync(app.Client.BaseAddress!, "/download", started.Task);

        received.ShouldBeGreaterThan((long)Chunks * chunk.Length);
        server.ElapsedMilliseconds.ShouldBeGreaterThan(Ms / 2, "the server did not have to wait for the client");
        await ShouldBeSilentAsync(app, "GET /download");
    }

    [Fact]
    public async Task SlowClientsUpload_IsSilent_WhenItIsAwaited()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapPost("/upload", async context =>
            await context.Request.Body.CopyToAsync(Stream.Null)));

        (await app.Client.PostAsync(new Uri("/upload", UriKind.Relative), new SlowContent(() => Task.Delay(Ms)))).EnsureSuccessStatusCode();

        await ShouldBeSilentAsync(app, "POST /upload");
    }

    [Fact]
    public async Task FirstRequest_IsSilent_ThoughItLoadsAndCompiles()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/first", () =>
        {
            // An assembly that nothing else here loads, with types and methods that were never called.
            var document = System.Xml.Linq.XDocument.Parse("<a><b>1</b><b>2</b></a>");
            var numbers = new SortedDictionary<(long, DateTimeOffset), FirstSeen>();
            foreach (var b in document.Descendants("b"))
            {
                numbers[((long)b, DateTimeOffset.UnixEpoch)] = new FirstSeen(b.Value);
            }

            return string.Join(',', numbers.Select(n => n.Value.ToString()));
        }));

        await app.GetManyAsync("/first", 1);

        await ShouldBeSilentAsync(app, "GET /first");
    }

    [Fact]
    public async Task ForcedCollections_AreSilent()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/collect", () =>
        {
            for (var i = 0; i < 20; i++)
            {
                GC.Collect(2, GCCollectionMode.Forced, blocking: true);
            }
        }));

        await app.GetManyAsync("/collect", 1);

        await ShouldBeSilentAsync(app, "GET /collect");
    }

    private static async Task ShouldBeSilentAsync(ProbedApp app, string endpoint)
    {
        var row = await app.EndpointAsync(endpoint);
        (await app.SitesAsync(endpoint)).ShouldBeEmpty();
        row.Ms("blockedMs").ShouldBeLessThan(HardlyMs, row.ToString());
    }

    private static async Task<long> DownloadSlowlyAsync(Uri address, string path, Task started)
    {
        using var timeout = new CancellationTokenSource(ProbedApp.Timeout);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 64 * 1024 };
        await socket.ConnectAsync(address.Host, address.Port, timeout.Token);
        await socket.SendAsync(
            Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: {address.Authority}\r\nConnection: close\r\n\r\n"), timeout.Token);
        await started.WaitAsync(timeout.Token);
        await Task.Delay(Ms, timeout.Token);

        var buffer = new byte[256 * 1024];
        var total = 0L;
        while (await socket.ReceiveAsync(buffer, timeout.Token) is > 0 and var count)
        {
            total += count;
        }

        return total;
    }

    private sealed record FirstSeen(string Value);
}
