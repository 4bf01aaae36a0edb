using System.Diagnostics;
using System.Globalization;
using System.Net.WebSockets;
using System.Text;

namespace AsyncProbe.Measurements;

/// <summary>
/// Calls of a hub's empty method over WebSockets, each an operation, with and without AsyncProbe in turn: calls a second, and CPU of the
/// server's process for a call by its own clock.
/// </summary>
internal static class HubCalls
{
    private const int Connections = 16;
    private const int Seconds = 2;
    private const byte Separator = 0x1e;

    private static readonly byte[] s_call = Encoding.UTF8.GetBytes(
        """{"type":1,"invocationId":"1","target":"Echo","arguments":[7]}""" + (char)Separator);

    public static async Task<int> RunAsync(int pairs)
    {
        Console.WriteLine("| hub call | pairs | median ratio | second lowest to second highest | without | with |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|");
        await using var without = await Server.StartAsync(0, "--hub=true", "--probe=off");
        await using var with = await Server.StartAsync(0, "--hub=true", "--AsyncProbe:EmitHeaders=false");
        await MeasureAsync(without);
        await MeasureAsync(with);

        List<(double With, double Without)> rates = [], costs = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            // Who goes first alternates, so that a drift of the machine favours neither.
            var first = await MeasureAsync(pair % 2 == 0 ? without : with);
            var second = await MeasureAsync(pair % 2 == 0 ? with : without);
            var (a, b) = pair % 2 == 0 ? (second, first) : (first, second);
            rates.Add((a.Rate, b.Rate));
            costs.Add((a.Cpu, b.Cpu));
        }

        Print("calls/s", rates, rates.Select(r => r.With / r.Without));
        Print("µs of the server's CPU a call", costs, costs.Select(c => c.Without / c.With));
        return 0;
    }

    private static void Print(string title, List<(double With, double Without)> figures, IEnumerable<double> all)
    {
        var ratios = all.Order().ToArray();
        var (low, high) = ratios.Length > 2 ? (ratios[1], ratios[^2]) : (ratios[0], ratios[^1]);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {title} | {ratios.Length} | {ratios.Median():0.000} | {low:0.000} to {high:0.000} "
                + $"| {figures.Select(f => f.Without).Median():0.00} | {figures.Select(f => f.With).Median():0.00} |"));
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
