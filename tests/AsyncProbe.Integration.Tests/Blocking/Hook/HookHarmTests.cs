using System.Diagnostics;
using System.Net.WebSockets;

namespace AsyncProbe.Integration.Tests.Blocking.Hook;

/// <summary>
/// The hook sends continuations through the pool that would otherwise run elsewhere. However full the pool is, requests must end as they
/// do without the hook. Each server runs in its own process; benchmarks/hook-harm has more cases, for longer.
/// </summary>
[SideBySide]
public sealed class HookHarmTests
{
    // Without the hook, four such requests take 0.2 s. An earlier hook kept all of them from ever ending, so the limit may be long.
    private static readonly TimeSpan s_soon = ServerProcess.Timeout;

    [Theory]
    [InlineData("Always", 1)]
    [InlineData("Always", 2)]
    [InlineData("Always", 4)]
    [InlineData("WhenBlocking", 1)]
    [InlineData("WhenBlocking", 2)]
    [InlineData("WhenBlocking", 4)]
    public async Task Requests_End_ThoughThePoolIsFullOfThoseThatWaitForOtherThreads(string detection, int workers)
    {
        await using var server = await StartAsync(detection, workers);
        await WarmAsync(server);

        for (var round = 0; round < 3; round++)
        {
            await AllAsync(server, workers).WaitAsync(s_soon);
        }
    }

    // Each request runs an operation, which runs another one.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public async Task Operations_End_ThoughThePoolIsFullOfThoseThatWaitForOtherThreads(int workers)
    {
        await using var server = await StartAsync("Always", workers);

        for (var round = 0; round < 3; round++)
        {
            await AllAsync(server, workers, "/outside-in-operations?ms=200").WaitAsync(s_soon);
        }
    }

    [Theory]
    [InlineData("Always")]
    [InlineData("WhenBlocking")]
    public async Task Requests_End_ThoughOthersHangAndSocketsAreOpen(string detection)
    {
        const int Workers = 4;
        await using var server = await StartAsync(detection, Workers);
        await WarmAsync(server);
        using var first = await ConnectAsync(server);
        using var second = await ConnectAsync(server);
        var hanging = AllAsync(server, Workers - 1, "/hang-until-released");

        for (var round = 0; round < 5; round++)
        {
            await AllAsync(server, 1).WaitAsync(s_soon);
        }

        hanging.IsCompleted.ShouldBeFalse("or the pool was not full");
        await AllAsync(server, 1, "/release").WaitAsync(s_soon);
        await hanging.WaitAsync(s_soon + s_soon);
        await ShouldBeNamedAsync(server, requests: 1);
        await EchoAsync(first);
        await EchoAsync(second);
    }

    [Theory]
    [InlineData("Always")]
    [InlineData("WhenBlocking")]
    public async Task Site_IsNamed_ThoughThePoolIsFull(string detection)
    {
        await using var server = await StartAsync(detection, workers: 4);
        await WarmAsync(server);

        await ShouldBeNamedAsync(server, requests: 4);
    }

    // On a crowded machine a thread may spin until its task is done and never block.
    private static Task ShouldBeNamedAsync(ServerProcess server, int requests) =>
        Eventually.TrueAsync(
            async () =>
            {
                await AllAsync(server, requests).WaitAsync(s_soon);
                return await IsNamedAsync(server);
            },
            "the wait was not named");

    private static async Task<bool> IsNamedAsync(ServerProcess server) =>
        (await server.ReportAsync()).GetProperty("sites").EnumerateArray().Any(site =>
            site.GetProperty("kind").GetString() == "Task.Result"
                && site.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == "GET /outside"));

    private static Task<ServerProcess> StartAsync(string detection, int workers) =>
        ServerProcess.StartAsync("--max-workers", $"{workers}", "--AsyncProbe:Detection", detection);

    private static async Task WarmAsync(ServerProcess server)
    {
        // One request that blocks, so that AsyncProbe watches the endpoint's next requests.
        await AllAsync(server, 1).WaitAsync(s_soon);
        await AllAsync(server, 1).WaitAsync(s_soon);
    }

    private static async Task AllAsync(ServerProcess server, int requests, string path = "/outside?ms=200")
    {
        var clock = Stopwatch.StartNew();
        await Task.WhenAll(Enumerable.Range(0, requests).Select(_ => server.Client.GetStringAsync(new Uri(path, UriKind.Relative))));
        Console.WriteLine($"{requests} x {path}: {clock.ElapsedMilliseconds} ms");
    }

    private static async Task<ClientWebSocket> ConnectAsync(ServerProcess server)
    {
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(new UriBuilder(server.Address) { Scheme = "ws", Path = "/socket" }.Uri, default).WaitAsync(s_soon);
        return socket;
    }

    private static async Task EchoAsync(ClientWebSocket socket)
    {
        var buffer = new byte[8];
        await socket.SendAsync(new byte[] { 1 }, WebSocketMessageType.Binary, true, default).WaitAsync(s_soon);
        (await socket.ReceiveAsync(buffer, default).WaitAsync(s_soon)).Count.ShouldBe(1);
    }
}
