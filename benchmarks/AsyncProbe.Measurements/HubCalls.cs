using System.Diagnostics;
using System.Globalization;
using System.Net.WebSockets;
using System.Text;

namespace AsyncProbe.Measurements;

/// <summary>
/// Calls of a hub's empty method over WebSockets, with and without AsyncProbe in turn: calls a second, and CPU of the server's process for
/// a call by its own clock. Two servers in between tell what the activities cost by themselves, and what the connection's request does.
/// </summary>
internal static class HubCalls
{
    private const int Connections = 64;
    private const int Seconds = 1;
    private const int WarmUps = 5;
    private const byte Separator = 0x1e;

    private static readonly byte[] s_call = Encoding.UTF8.GetBytes(
        """{"type":1,"invocationId":"1","target":"Echo","arguments":[7]}""" + (char)Separator);

    private static readonly (string Title, string[] Arguments)[] s_servers =
    [
        ("without AsyncProbe", ["--probe=off"]),
        ("without, and somebody listens to SignalR's activities", ["--probe=off", "--activities=true"]),
        ("AsyncProbe, requests alone", ["--AsyncProbe:EmitHeaders=false", "--sources=none"]),
        ("AsyncProbe, each call an operation", ["--AsyncProbe:EmitHeaders=false"]),
    ];

    public static async Task<int> RunAsync(int rounds)
    {
        List<Server> servers = [];
        try
        {
            foreach (var (_, arguments) in s_servers)
            {
                servers.Add(await Server.StartAsync(0, ["--hub=true", .. arguments]));

                // The compiler goes on with the server's methods for some ten thousand calls.
                for (var round = 0; round < WarmUps; round++)
                {
                    await MeasureAsync(servers[^1]);
                }
            }

            var figures = servers.Select(_ => new List<(double Rate, double Cpu)>()).ToList();
            for (var round = 0; round < rounds; round++)
            {
                // Another goes first in each round, so that a drift of the machine favours none.
                for (var i = 0; i < servers.Count; i++)
                {
                    var server = (i + round) % servers.Count;
                    figures[server].Add(await MeasureAsync(servers[server]));
                }
            }

            Print(figures);
        }
        finally
        {
            foreach (var server in servers)
            {
                await server.DisposeAsync();
            }
        }

        return 0;
    }

    private static void Print(List<List<(double Rate, double Cpu)>> figures)
    {
        Console.WriteLine(
            "| server | rounds | calls/s | of those without | µs of CPU a call | more than without | second lowest to second highest "
                + "| least µs |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|--:|--:|");
        for (var i = 0; i < figures.Count; i++)
        {
            var ratios = figures[i].Zip(figures[0], (with, without) => with.Rate / without.Rate).ToList();
            var more = figures[i].Zip(figures[0], (with, without) => with.Cpu - without.Cpu).Order().ToArray();
            var (low, high) = more.Length > 2 ? (more[1], more[^2]) : (more[0], more[^1]);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {s_servers[i].Title} | {more.Length} | {figures[i].Select(f => f.Rate).Median():0} | {ratios.Median():0.000} "
                    + $"| {figures[i].Select(f => f.Cpu).Median():0.00} | {more.Median():0.00} | {low:0.00} to {high:0.00} "
                    + $"| {figures[i].Min(f => f.Cpu):0.00} |"));
        }
    }

    private static async Task<(double Rate, double Cpu)> MeasureAsync(Server server)
    {
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        var sockets = await Task.WhenAll(Enumerable.Range(0, Connections).Select(_ => ConnectAsync(server, stop.Token)));
        var (cpu, clock) = (server.Cpu, Stopwatch.StartNew());
        var calls = await Task.WhenAll(sockets.Select(socket => Task.Run(() => CallAsync(socket, clock, stop.Token))));
        var (elapsed, used) = (clock.Elapsed, server.Cpu - cpu);
        foreach (var socket in sockets)
        {
            await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, stop.Token);
            socket.Dispose();
        }

        return (calls.Sum() / elapsed.TotalSeconds, used.TotalMicroseconds / calls.Sum());
    }

    private static async Task<ClientWebSocket> ConnectAsync(Server server, CancellationToken stop)
    {
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(new UriBuilder(server.Url) { Scheme = "ws", Path = "/hub" }.Uri, stop);
        await SendAsync(socket, Encoding.UTF8.GetBytes("""{"protocol":"json","version":1}""" + (char)Separator), stop);
        await ReceiveAsync(socket, new byte[256], stop);
        return socket;
    }

    private static async Task<long> CallAsync(ClientWebSocket socket, Stopwatch clock, CancellationToken stop)
    {
        var buffer = new byte[256];
        var calls = 0L;
        for (; clock.Elapsed.TotalSeconds < Seconds; calls++)
        {
            await SendAsync(socket, s_call, stop);

            // In between may come a ping.
            while (!await ReceiveAsync(socket, buffer, stop))
            {
            }
        }

        return calls;
    }

    private static Task SendAsync(ClientWebSocket socket, byte[] message, CancellationToken stop) =>
        socket.SendAsync(message, WebSocketMessageType.Text, endOfMessage: true, stop);

    /// <returns>Whether it is the result of a call.</returns>
    private static async Task<bool> ReceiveAsync(ClientWebSocket socket, byte[] buffer, CancellationToken stop)
    {
        var length = 0;
        do
        {
            length += (await socket.ReceiveAsync(buffer.AsMemory(length), stop)).Count;
        }
        while (buffer[length - 1] != Separator);
        return buffer.AsSpan(0, length).IndexOf("\"result\":7"u8) >= 0;
    }
}
