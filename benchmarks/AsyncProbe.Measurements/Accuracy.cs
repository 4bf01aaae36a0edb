using System.Collections.Concurrent;
using System.Globalization;

namespace AsyncProbe.Measurements;

/// <summary>How far a request's blocked time, as given in its headers, is from the truth, for each request.</summary>
internal static class Accuracy
{
    private const int Requests = 200;

    private static readonly Case[] s_cases =
    [
        new("sleep-idle", "Thread.Sleep(200), idle", "/sleep?ms=200", 200, Surroundings.Idle),
        new("wait-idle", "Task.Delay(200).Wait(), idle", "/task-wait?ms=200", 200, Surroundings.Idle),
        new("mixed-idle", "sleep 100 + CPU 100, idle", "/work?sleep=100&cpuMicroseconds=100000", 100, Surroundings.Idle),
        new("cpu-idle", "CPU 200, idle", "/cpu?ms=200", 0, Surroundings.Idle),
        new("sleep-crowded", "Thread.Sleep(200), one core with four burners", "/sleep?ms=200", 200, Surroundings.Crowded),
        new("cpu-crowded", "CPU 200, one core with four burners", "/cpu?ms=200", 0, Surroundings.Crowded),
        new("sleep-gc", "Thread.Sleep(200), beside a GC load", "/sleep?ms=200", 200, Surroundings.GcLoad),
        new("cpu-gc", "CPU 200, beside a GC load", "/cpu?ms=200", 0, Surroundings.GcLoad),
        new("sleep-gc-heavy", "Thread.Sleep(200), beside a heavy GC load", "/sleep?ms=200", 200, Surroundings.HeavyGcLoad),
        new("cpu-gc-heavy", "CPU 200, beside a heavy GC load", "/cpu?ms=200", 0, Surroundings.HeavyGcLoad),
    ];

    private enum Surroundings
    {
        Idle,
        Crowded,
        GcLoad,
        HeavyGcLoad,
    }

    public static async Task<int> RunAsync(string[] names)
    {
        Console.WriteLine(
            "| case | truth ms | blocked p1 | p50 | p99 | error p99 ms | by the handler's clock: p1 | p99 | error p99 ms | held p50 | "
                + "blocked ÷ held p99 | in GC |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        foreach (var one in s_cases.Where(c => names.Length == 0 || names.Contains(c.Name)))
        {
            await MeasureAsync(one);
        }

        if (names.Length == 0 || names.Contains("saturated"))
        {
            await MeasureSaturatedAsync();
        }

        return 0;
    }

    private static async Task MeasureAsync(Case one)
    {
        var crowded = one.Surroundings == Surroundings.Crowded;
        await using var server = await Server.StartAsync(crowded ? 1 : null, "--AsyncProbe:EmitHeaders=true");
        await server.SendAsync(one.Path.Replace("=200", "=20", StringComparison.Ordinal), 20, 1);
        using var burners = crowded ? new Burners(4, core: 1) : null;
        if (one.Surroundings is Surroundings.GcLoad or Surroundings.HeavyGcLoad)
        {
            await server.GetAsync($"/gc-load?seconds=300&percent={(one.Surroundings == Surroundings.GcLoad ? 20 : 100)}");
        }

        // Sleeping requests don't disturb each other, but working ones must run one after the other.
        var clients = one.Truth == 200 ? 4 : 1;
        ConcurrentQueue<Seen> seen = new();
        var before = await server.ProcessAsync();
        await server.SendAsync(one.Path, Requests, clients, (response, body) => seen.Enqueue(Seen.Of(response, body, one.Truth)));
        var after = await server.ProcessAsync();

        var blocked = seen.Select(s => s.Blocked).ToArray();
        var clock = seen.Select(s => s.Truth).ToArray();
        var inGc = (after.GcPauseMs - before.GcPauseMs) / (after.UptimeMs - before.UptimeMs);
        Console.WriteLine($"| {one.Title} | {one.Truth} | {blocked.Percentile(0.01):0.0} | {blocked.Median():0.0} "
            + $"| {blocked.Percentile(0.99):0.0} "
            + $"| {blocked.Select(b => Math.Abs(b - one.Truth)).Percentile(0.99):0.0} | {clock.Percentile(0.01):0.0} "
            + $"| {clock.Percentile(0.99):0.0} "
            + $"| {seen.Select(s => Math.Abs(s.Blocked - s.Truth)).Percentile(0.99):0.0} | {seen.Select(s => s.Held).Median():0.0} "
            + $"| {seen.Select(s => s.Blocked / s.Held).Percentile(0.99):0.00%} | {inGc:0%} |");
        foreach (var outlier in seen.Where(s => Math.Abs(s.Blocked - one.Truth) > 5).Take(5))
        {
            await Console.Error.WriteLineAsync($"  {one.Name}: {outlier}");
        }
    }

    /// <summary>A pool of 16 threads under 64 clients: the threads compete for the cores, and blocked must still be 18 ms.</summary>
    private static async Task MeasureSaturatedAsync()
    {
        await using var server = await Server.StartAsync(null, "--max-workers=16", "--AsyncProbe:EmitHeaders=true");
        const string Path = "/work?sleep=18&cpuMicroseconds=2000";
        await server.SendAsync(Path, 500, 16);
        await server.ResetAsync();
        ConcurrentQueue<double> blocked = new();
        await server.SendAsync(Path, 6000, 64, (r, _) => blocked.Enqueue(r.Number("X-AsyncProbe-Blocked-Ms")));
        var row = await server.EndpointAsync("GET /work");
        var mean = row.GetProperty("blockedMs").GetProperty("mean").GetDouble();
        var held = row.GetProperty("heldMs").GetProperty("mean").GetDouble();
        Console.WriteLine($"| sleep 18 + CPU 2, pool of 16, 64 clients | 18 | {blocked.Percentile(0.01):0.0} | {blocked.Median():0.0} "
            + $"| {blocked.Percentile(0.99):0.0} "
            + $"| {blocked.Select(b => Math.Abs(b - 18)).Percentile(0.99):0.0} |  |  |  | {held:0.0} (mean) | mean blocked {mean:0.00} ms "
            + "|  |");
    }

    private sealed record Case(string Name, string Title, string Path, double Truth, Surroundings Surroundings);

    /// <summary>
    /// One request's headers, and how long its handler says it was blocked; the nominal truth if the handler doesn't block.
    /// </summary>
    private sealed record Seen(double Held, double Blocked, string Timing, double Truth)
    {
        public static Seen Of(HttpResponseMessage response, string body, double truth)
        {
            var byClock = truth > 0 ? double.Parse(body, CultureInfo.InvariantCulture) : truth;
            return new Seen(
                response.Number("X-AsyncProbe-Held-Ms"), response.Number("X-AsyncProbe-Blocked-Ms"),
                string.Join(", ", response.Headers.GetValues("Server-Timing")), byClock);
        }
    }
}
