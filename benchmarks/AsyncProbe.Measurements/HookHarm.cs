using System.Diagnostics;
using System.Net.WebSockets;

namespace AsyncProbe.Measurements;

/// <summary>
/// Whether the wait hook slows down what it watches: requests that wait for code whose awaits are completed by threads outside the pool.
/// Without the hook, such code needs no pool thread to continue. Every case runs Off, WhenBlocking and Always, each in a fresh process.
/// </summary>
internal static class HookHarm
{
    private const int Ms = 100;

    private static readonly string[] s_detections = ["Off", "WhenBlocking", "Always"];

    // Pool size (0 for no limit), concurrent clients, requests that hang all the time, open WebSockets.
    private static readonly (int Workers, int Clients, int Hanging, int Sockets)[] s_cases =
    [
        (1, 1, 0, 0), (1, 4, 0, 0), (1, 1, 0, 4),
        (2, 2, 0, 0), (2, 8, 0, 0), (2, 2, 1, 4),
        (4, 4, 0, 0), (4, 16, 0, 0), (4, 4, 2, 4),
        (0, 4, 0, 0), (0, 60, 0, 0), (0, 16, 4, 16),
    ];

    /// <param name="seconds">How long each case runs.</param>
    /// <param name="cases">Which cases to run, such as "4x16"; empty for all.</param>
    public static async Task<int> RunAsync(int seconds, string[] cases)
    {
        Console.WriteLine(
            $"Each cell ran for {seconds} s: requests ended in that time, how many of those begun were never answered, and the 95th "
                + "percentile.");
        Console.WriteLine();
        Console.WriteLine(
            "| pool | clients | hanging | sockets | Off | WhenBlocking | Always | Off / WhenBlocking | Off / Always | named |");
        Console.WriteLine("|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|");
        var isGood = true;
        foreach (var (workers, clients, hanging, sockets) in s_cases.Where(
            c => cases.Length == 0 || cases.Contains($"{c.Workers}x{c.Clients}")))
        {
            List<Outcome> outcomes = [];
            foreach (var detection in s_detections)
            {
                outcomes.Add(await MeasureAsync(detection, workers, clients, hanging, sockets, TimeSpan.FromSeconds(seconds)));
            }

            var (off, some, all) = (outcomes[0], outcomes[1], outcomes[2]);
            isGood &= outcomes.TrueForAll(o => o.Unanswered == 0) && off.Ended <= some.Ended * 1.2 && off.Ended <= all.Ended * 1.2;
            Console.WriteLine(
                $"| {(workers == 0 ? "free" : workers)} | {clients} | {hanging} | {sockets} | {off} | {some} | {all} "
                + $"| {(double)off.Ended / some.Ended:0.00} | {(double)off.Ended / all.Ended:0.00} "
                + $"| {(some.IsNamed ? "yes" : "no")}, {(all.IsNamed ? "yes" : "no")} |");
        }

        return isGood ? 0 : 1;
    }

    private static async Task<Outcome> MeasureAsync(string detection, int workers, int clients, int hanging, int sockets, TimeSpan duration)
    {
        string[] arguments = workers == 0 ? [] : ["--max-workers", $"{workers}"];
        await using var server = await Server.StartAsync(core: null, ["--AsyncProbe:Detection", detection, .. arguments]);
        var open = new List<ClientWebSocket>();
        for (var i = 0; i < sockets; i++)
        {
            var socket = new ClientWebSocket();
            await socket.ConnectAsync(new Uri(server.Url.Replace("http:", "ws:", StringComparison.Ordinal) + "/socket"), default);
            open.Add(socket);
        }

        // Warm up, and let the endpoint be seen blocking.
        for (var i = 0; i < 3; i++)
        {
            await AskAsync(server, $"/outside?ms={Ms}");
        }

        using var stop = new CancellationTokenSource(duration);
        var hangs = Enumerable.Range(0, hanging).Select(_ => AskAsync(server, $"/hang?ms={(int)duration.TotalMilliseconds}")).ToList();
        List<double> took = [];
        var unanswered = 0;
        var clock = Stopwatch.StartNew();
        await Task.WhenAll(Enumerable.Range(0, clients).Select(async _ =>
        {
            while (!stop.IsCancellationRequested)
            {
                var began = clock.Elapsed;
                var isAnswered = await AskAsync(server, $"/outside?ms={Ms}");
                lock (took)
                {
                    if (!isAnswered)
                    {
                        unanswered++;
                    }
                    else if (clock.Elapsed <= duration)
                    {
                        took.Add((clock.Elapsed - began).TotalMilliseconds);
                    }
                }
            }
        }));
        unanswered += (await Task.WhenAll(hangs)).Count(isAnswered => !isAnswered);
        foreach (var socket in open)
        {
            unanswered += await EchoesAsync(socket) ? 0 : 1;
            socket.Dispose();
        }

        var isNamed = (await server.ReportAsync()).GetProperty("sites").EnumerateArray()
            .Any(site => site.GetProperty("kind").GetString() == "Task.Result");
        took.Sort();
        return new Outcome(took.Count, unanswered, took.Count == 0 ? double.NaN : took[(int)(took.Count * 0.95)], isNamed);
    }

    private static async Task<bool> AskAsync(Server server, string path)
    {
        try
        {
            using var response = await server.GetAsync(path);
            return response.IsSuccessStatusCode;
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
        {
            return false;
        }
    }

    private static async Task<bool> EchoesAsync(ClientWebSocket socket)
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        try
        {
            await socket.SendAsync(new byte[] { 1 }, WebSocketMessageType.Binary, true, timeout.Token);
            return (await socket.ReceiveAsync(new byte[8], timeout.Token)).Count == 1;
        }
        catch (Exception e) when (e is WebSocketException or OperationCanceledException)
        {
            return false;
        }
    }

    private sealed record Outcome(int Ended, int Unanswered, double P95, bool IsNamed)
    {
        public override string ToString() => $"{Ended}, {Unanswered}, {P95:0} ms";
    }
}
