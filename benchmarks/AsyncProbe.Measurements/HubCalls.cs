using System.Diagnostics;
using System.Globalization;
using System.Net.WebSockets;
using System.Text;

namespace AsyncProbe.Measurements;

/// <summary>
/// Calls an empty hub method over WebSockets, alternately with and without AsyncProbe. Measures calls per second, and the server process's
/// CPU time per call by its own clock. The second server shows how much two identical servers differ. The next two show the cost of the
/// activities alone, and that of the connection's request.
/// </summary>
internal static class HubCalls
{
    private const int Connections = 64;
    private const int WarmUps = 25;
    private const int Rounds = 20;
    private const byte Separator = 0x1e;

    // Short, so that the machine is equally fast for all servers of a round: within seconds it changes by more than the difference to
    // measure.
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(200);

    private static readonly byte[] s_call = Encoding.UTF8.GetBytes(
        """{"type":1,"invocationId":"1","target":"Echo","arguments":[7]}""" + (char)Separator);

    private static readonly (string Title, string[] Arguments)[] s_servers =
    [
        ("without AsyncProbe", ["--probe=off"]),
        ("without AsyncProbe, once more", ["--probe=off"]),
        ("without, and somebody listens to SignalR's activities", ["--probe=off", "--activities=true"]),
        ("AsyncProbe, requests alone", ["--AsyncProbe:EmitHeaders=false", "--sources=none"]),
        ("AsyncProbe, each call an operation", ["--AsyncProbe:EmitHeaders=false"]),
    ];

    /// <param name="starts">
    /// How often to restart each server: two processes of one program can differ by several percent for their whole lifetime.
    /// </param>
    public static async Task<int> RunAsync(int starts)
    {
        var figures = s_servers.Select(_ => new List<(double Rate, double Cpu)>()).ToList();
        for (var start = 0; start < starts; start++)
        {
            var rounds = await RunOnceAsync();
            for (var i = 0; i < figures.Count; i++)
            {
                figures[i].Add((rounds[i].Select(f => f.Rate).Median(), rounds[i].Select(f => f.Cpu).Average()));
            }

            Console.Error.WriteLine(string.Join("  ", figures.Select(f => $"{f[^1].Rate / figures[0][^1].Rate:0.000}")));
        }

        Print(figures);
        return 0;
    }

    private static async Task<List<List<(double Rate, double Cpu)>>> RunOnceAsync()
    {
        List<Server> servers = [];
        List<ClientWebSocket[]> sockets = [];
        try
        {
            foreach (var (_, arguments) in s_servers)
            {
                servers.Add(await Server.StartAsync(0, ["--hub=true", .. arguments]));
                sockets.Add(await Task.WhenAll(Enumerable.Range(0, Connections).Select(_ => ConnectAsync(servers[^1]))));
            }

            // The compiler keeps optimising the servers' methods for about ten thousand calls.
            await MeasureAllAsync(servers, sockets, WarmUps);
            return await MeasureAllAsync(servers, sockets, Rounds);
        }
        finally
        {
            foreach (var socket in sockets.SelectMany(all => all))
            {
                socket.Dispose();
            }

            foreach (var server in servers)
            {
                await server.DisposeAsync();
            }
        }
    }

    private static async Task<List<List<(double Rate, double Cpu)>>> MeasureAllAsync(
        List<Server> servers, List<ClientWebSocket[]> sockets, int rounds)
    {
        var figures = servers.Select(_ => new List<(double Rate, double Cpu)>()).ToList();
        for (var round = 0; round < rounds; round++)
        {
            // Start each round with another server, so that a drift of the machine favours none.
            for (var i = 0; i < servers.Count; i++)
            {
                var server = (i + round) % servers.Count;
                figures[server].Add(await MeasureAsync(servers[server], sockets[server]));
            }
        }

        return figures;
    }

    private static void Print(List<List<(double Rate, double Cpu)>> figures)
    {
        Console.WriteLine("| server | starts | calls/s | of those without | 95 % interval of that | µs of CPU a call |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|");
        for (var i = 0; i < figures.Count; i++)
        {
            var ratios = figures[i].Zip(figures[0], (with, without) => with.Rate / without.Rate).Order().ToList();
            var (low, high) = ratios.IntervalOfMedian();
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {s_servers[i].Title} | {ratios.Count} | {figures[i].Select(f => f.Rate).Median():0} | {ratios.Median():0.000} "
                    + $"| {low:0.000} to {high:0.000} | {figures[i].Average(f => f.Cpu):0.00} |"));
        }
    }

    private static async Task<(double Rate, double Cpu)> MeasureAsync(Server server, ClientWebSocket[] sockets)
    {
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        var (cpu, clock) = (server.Cpu, Stopwatch.StartNew());
        var calls = await Task.WhenAll(sockets.Select(socket => Task.Run(() => CallAsync(socket, clock, stop.Token))));
        var (elapsed, used) = (clock.Elapsed, server.Cpu - cpu);
        return (calls.Sum() / elapsed.TotalSeconds, used.TotalMicroseconds / calls.Sum());
    }

    private static async Task<ClientWebSocket> ConnectAsync(Server server)
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        var stop = timeout.Token;
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
        for (; clock.Elapsed < s_slice; calls++)
        {
            await SendAsync(socket, s_call, stop);

            // A ping may come in between.
            while (!await ReceiveAsync(socket, buffer, stop))
            {
            }
        }

        return calls;
    }

    private static Task SendAsync(ClientWebSocket socket, byte[] message, CancellationToken stop) =>
        socket.SendAsync(message, WebSocketMessageType.Text, endOfMessage: true, stop);

    /// <returns>Whether the message is the result of a call.</returns>
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
