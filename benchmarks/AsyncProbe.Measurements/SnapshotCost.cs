using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Measurements;

/// <summary>What a stack snapshot costs: time, CPU, bytes, the throughput of other requests during it, and what it leaves behind.</summary>
internal static class SnapshotCost
{
    private const int Repeats = 10;
    private const int Rounds = 12;
    private const int Clients = 8;
    private const int Many = 200;

    private static readonly int[] s_threads = [10, 100, 500];
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync()
    {
        Console.WriteLine("| what | measured |");
        Console.WriteLine("|---|--:|");
        foreach (var threads in s_threads)
        {
            await MeasureAsync(threads);
        }

        Row("idle app without snapshots, share of one core", $"{await IdleShareAsync() * 100:0.00} %");
        Row("idle app with snapshots added, share of one core", $"{await IdleShareAsync("--snapshots=true") * 100:0.00} %");
        await MeasureMemoryAsync();
        return 0;
    }

    private static async Task MeasureAsync(int threads)
    {
        // Only this measurement takes snapshots.
        await using var server = await Server.StartAsync(
            null, "--snapshots=true", "--AsyncProbe:StackSnapshots:Interval=1.00:00:00", "--AsyncProbe:AllowSnapshotRequests=true",
            $"--min-workers={threads + Clients + 8}");
        await server.SendAsync("/plain", 2000, Clients);
        var held = server.SendAsync("/sleep?ms=40000", threads, threads);
        await Task.Delay(2000);

        var title = $"{threads} threads blocked";
        var first = await TakeAsync(server, 1);
        Row($"{title}: the first, with the list of all methods", $"{Ms(first):0} ms, {Cpu(first):0} ms CPU, {Bytes(first) / 1e6:0.0} MB");
        await TakeAsync(server, 15);
        var next = await TakeAsync(server, Repeats);
        Row(
            $"{title}: a later one, median of {Repeats}",
            $"{Ms(next):0} ms, {Cpu(next) / Repeats:0} ms CPU, {Bytes(next) / Repeats / 1e3:0} kB");
        var (ratio, low, high) = await ThroughputAsync(server);
        Row($"{title}: throughput of other requests during one", $"{ratio:0.00} ({low:0.00} to {high:0.00})");
        server.Abandon(held);
    }

    /// <summary>
    /// The ratio of the requests answered during a snapshot to those answered in the same time right before it: the mean, and the middle
    /// half of the rounds.
    /// </summary>
    private static async Task<(double Ratio, double Low, double High)> ThroughputAsync(Server server)
    {
        using var stop = new CancellationTokenSource();
        long answered = 0;
        var clients = Enumerable.Range(0, Clients).Select(async _ =>
        {
            while (!stop.IsCancellationRequested)
            {
                using var response = await server.GetAsync("/plain");
                Interlocked.Increment(ref answered);
            }
        }).ToList();
        await Task.Delay(1000);
        var (during, before) = (0.0, 0.0);
        List<double> ratios = [];
        for (var round = 0; round < Rounds; round++)
        {
            var rateBefore = await RateAsync(() => Interlocked.Read(ref answered), () => Task.Delay(200));
            var rateDuring = await RateAsync(() => Interlocked.Read(ref answered), () => PostAsync(server));
            // The server rejects another snapshot within a second.
            await Task.Delay(1100);
            (during, before) = (during + rateDuring, before + rateBefore);
            ratios.Add(rateDuring / rateBefore);
        }

        await stop.CancelAsync();
        await Task.WhenAll(clients);
        return (during / before, ratios.Percentile(0.25), ratios.Percentile(0.75));
    }

    private static async Task<double> RateAsync(Func<long> count, Func<Task> meanwhile)
    {
        var (from, clock) = (count(), Stopwatch.StartNew());
        await meanwhile();
        return (count() - from) / clock.Elapsed.TotalSeconds;
    }

    private static async Task<double> IdleShareAsync(params string[] arguments)
    {
        await using var server = await Server.StartAsync(null, arguments);
        await server.SendAsync("/plain", 2000, Clients);
        await Task.Delay(3000);
        var before = await ProcessAsync(server);
        await Task.Delay(s_idle);
        var after = await ProcessAsync(server);
        return (after.GetProperty("cpuMs").GetDouble() - before.GetProperty("cpuMs").GetDouble())
            / (after.GetProperty("uptimeMs").GetDouble() - before.GetProperty("uptimeMs").GetDouble());
    }

    private static async Task MeasureMemoryAsync()
    {
        await using var server = await Server.StartAsync(null, "--snapshots=true", "--AsyncProbe:StackSnapshots:Interval=1.00:00:00");
        await server.SendAsync("/plain", 2000, Clients);
        var warm = await TakeAsync(server, Many / 10);
        var after = await TakeAsync(server, Many);
        var later = await TakeAsync(server, Many);
        Row(
            $"heap after a collection: before, after {Many} snapshots in a row, after {Many} more",
            $"{Heap(warm):0.0}, {Heap(after):0.0}, {Heap(later):0.0} MB");
        Row("working set: likewise", $"{WorkingSet(warm):0}, {WorkingSet(after):0}, {WorkingSet(later):0} MB");
    }

    private static async Task PostAsync(Server server)
    {
        using var response = await server.Client.PostAsync(new Uri("/_threadpool/snapshot", UriKind.Relative), null);
        response.EnsureSuccessStatusCode();
    }

    private static async Task<JsonElement> TakeAsync(Server server, int n) =>
        JsonDocument.Parse(await server.Client.GetStringAsync(new Uri($"/take-snapshots?n={n}", UriKind.Relative))).RootElement;

    private static async Task<JsonElement> ProcessAsync(Server server) =>
        JsonDocument.Parse(await server.Client.GetStringAsync(new Uri("/_threadpool?history=1", UriKind.Relative))).RootElement.GetProperty(
            "process");

    private static double Ms(JsonElement costs) => costs.GetProperty("ms").EnumerateArray().Select(ms => ms.GetDouble()).Median();

    private static double Cpu(JsonElement costs) => costs.GetProperty("cpuMs").GetDouble();

    private static double Bytes(JsonElement costs) => costs.GetProperty("bytes").GetDouble();

    private static double Heap(JsonElement costs) => costs.GetProperty("heapBytes").GetDouble() / 1e6;

    private static double WorkingSet(JsonElement costs) => costs.GetProperty("workingSetBytes").GetDouble() / 1e6;

    private static void Row(string what, string measured) => Console.WriteLine($"| {what} | {measured} |");
}
