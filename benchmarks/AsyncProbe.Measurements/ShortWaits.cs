using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Measurements;

/// <summary>
/// How soon waits of a few milliseconds that no hook sees are named, how much of their time is attributed to a line, and what the windows
/// cost.
/// </summary>
internal static class ShortWaits
{
    private const int EnoughHits = 20;
    private const int PlainClients = 4;

    private static readonly int[] s_sleeps = [5, 10, 20, 50, 100];
    private static readonly string[] s_positions = ["first", "later", "library"];
    private static readonly int[] s_clients = [1, 4];
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(60);

    /// <param name="seconds">How long to measure the costs.</param>
    public static async Task<int> RunAsync(int seconds)
    {
        Console.WriteLine("| `Thread.Sleep` | position | clients | named after | blocked time with a line | windows |");
        Console.WriteLine("|--:|---|--:|--:|--:|--:|");
        var (blocked, sited) = (0.0, 0.0);
        foreach (var ms in s_sleeps)
        {
            foreach (var position in s_positions)
            {
                foreach (var clients in s_clients)
                {
                    var (mine, withLine) = await NameAsync(ms, position, clients);
                    (blocked, sited) = (blocked + mine, sited + withLine);
                }
            }
        }

        Console.WriteLine($"| all | | | | {100 * sited / blocked:0.0} % of {blocked / 1000:0.0} s | |");

        Console.WriteLine();
        await CostAsync(TimeSpan.FromSeconds(seconds));
        return 0;
    }

    private static async Task<(double Blocked, double Sited)> NameAsync(int ms, string position, int clients)
    {
        var path = $"/sleep/{position}?ms={ms}";
        var endpoint = $"GET /sleep/{position}";
        await using var server = await Server.StartAsync(null, "--snapshots=true", "--environment=Production");
        await server.SendAsync(path, 5, 1);
        using var stop = new CancellationTokenSource();
        var clock = Stopwatch.StartNew();
        var load = LoadAsync(server, path, clients, stop.Token);
        TimeSpan? named = null;
        var (windows, hits) = (0, 0);
        while (clock.Elapsed < s_longest && hits < EnoughHits)
        {
            await Task.Delay(100);
            var report = await server.ReportAsync();
            hits = SitesOf(report, endpoint).Sum(site => site.GetProperty("hits").GetInt32());
            windows = report.GetProperty("probe").GetProperty("snapshots").GetProperty("windows").GetInt32();
            named ??= hits > 0 ? clock.Elapsed : null;
        }

        // The last samples are attributed to lines within a second.
        await stop.CancelAsync();
        await load;
        await Task.Delay(2500);
        var last = await server.ReportAsync();
        var blocked = (await server.EndpointAsync(endpoint)).GetProperty("blockedMs").GetProperty("total").GetDouble();
        var sited = SitesOf(last, endpoint).Where(site => site.GetProperty("at").GetString() == "Positions.Sleep"
                && site.GetProperty("line").ValueKind == JsonValueKind.Number)
            .Sum(site => site.GetProperty("blockedMs").GetProperty("total").GetDouble());
        Console.WriteLine(
            $"| {ms} ms | {position} | {clients} | {(named is { } after ? $"{after.TotalSeconds:0.0} s" : "never")} "
                + $"| {100 * sited / blocked:0} % of {blocked / 1000:0.0} s | {windows} |");
        return (blocked, sited);
    }

    // Measures CPU time, because it stays the same on a busy machine.
    private static async Task CostAsync(TimeSpan duration)
    {
        await using var sampling = await Server.StartAsync(null, "--snapshots=true", "--environment=Production");
        await using var plain = await Server.StartAsync(
            null, "--snapshots=true", "--environment=Production", "--AsyncProbe:StackSnapshots:SampleUnexplained=false");
        Server[] servers = [sampling, plain];
        foreach (var server in servers)
        {
            await server.SendAsync("/sleep?ms=1", 500, PlainClients);
            await server.ResetAsync();
        }

        var cpu = servers.Select(server => server.Cpu).ToArray();
        using var stop = new CancellationTokenSource();
        var loads = servers.Select(server => LoadAsync(server, "/sleep?ms=100", 1, stop.Token)).ToList();
        await Task.Delay(duration);
        await stop.CancelAsync();
        await Task.WhenAll(loads);
        var used = servers.Select((server, i) => (server.Cpu - cpu[i]).TotalMilliseconds).ToArray();
        var windows = (await sampling.ReportAsync()).GetProperty("probe").GetProperty("snapshots").GetProperty("windows").GetInt32();
        Console.WriteLine("| cost | measured |");
        Console.WriteLine("|---|--:|");
        Console.WriteLine($"| windows until there were {EnoughHits} hits, in {duration.TotalSeconds:0} s | {windows} |");
        Console.WriteLine($"| CPU of the process with windows, and without | {used[0]:0} ms, {used[1]:0} ms |");
        Console.WriteLine($"| a window, the first with its list of all methods among them | {(used[0] - used[1]) / windows:0} ms CPU |");
    }

    private static IEnumerable<JsonElement> SitesOf(JsonElement report, string endpoint) =>
        report.GetProperty("sites").EnumerateArray()
            .Where(site => site.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == endpoint));

    private static async Task<(Server Server, int Requests)> LoadAsync(Server server, string path, int clients, CancellationToken stop)
    {
        var requests = 0;
        await Task.WhenAll(Enumerable.Range(0, clients).Select(async _ =>
        {
            while (!stop.IsCancellationRequested)
            {
                using var response = await server.GetAsync(path);
                response.EnsureSuccessStatusCode();
                Interlocked.Increment(ref requests);
            }
        }));
        return (server, requests);
    }
}
