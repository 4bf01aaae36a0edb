using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.Measurements;

/// <summary>
/// What windows cost while an endpoint's blocked time never gets explained for long: CPU, and the throughput of other requests.
/// </summary>
internal static class WindowCost
{
    private const int Sleepers = 2;
    private const int Clients = 2;

    private static readonly string[] s_sampling = ["--snapshots=true", "--environment=Production"];
    private static readonly string[] s_plain = [.. s_sampling, "--AsyncProbe:StackSnapshots:SampleUnexplained=false"];
    private static readonly TimeSpan s_forgetEvery = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_turn = TimeSpan.FromMilliseconds(250);

    /// <param name="minutes">How long.</param>
    public static async Task<int> RunAsync(int minutes)
    {
        // One pair for the CPU, with nothing but the requests that sleep; one that others load in turn.
        await using var cpuSampling = await Server.StartAsync(null, s_sampling);
        await using var cpuPlain = await Server.StartAsync(null, s_plain);
        await using var sampling = await Server.StartAsync(null, s_sampling);
        await using var plain = await Server.StartAsync(null, s_plain);
        Server[] all = [cpuSampling, cpuPlain, sampling, plain];
        foreach (var server in all)
        {
            await server.SendAsync("/sleep?ms=1", 200, Sleepers);
            await server.SendAsync("/plain", 3000, Clients);
        }

        using var stop = new CancellationTokenSource();
        var cpu = all.Select(server => server.Cpu).ToArray();
        var clock = Stopwatch.StartNew();
        var background = all.Select(server => SleepAsync(server, stop.Token)).ToList();
        List<(double Sampling, double Plain)> turns = [];
        while (clock.Elapsed < TimeSpan.FromMinutes(minutes))
        {
            // Who goes first alternates, so that a drift of the machine favours neither.
            var isSamplingFirst = turns.Count % 2 == 0;
            var first = await RateAsync(isSamplingFirst ? sampling : plain);
            var second = await RateAsync(isSamplingFirst ? plain : sampling);
            turns.Add(isSamplingFirst ? (first, second) : (second, first));
        }

        var seconds = clock.Elapsed.TotalSeconds;
        var used = all.Select((server, i) => (server.Cpu - cpu[i]).TotalSeconds).ToArray();
        await stop.CancelAsync();
        await Task.WhenAll(background);
        Console.WriteLine("| over the same time | measured |");
        Console.WriteLine("|---|--:|");
        Row("seconds", $"{seconds:0}");
        var windows = $"{await WindowsAsync(cpuSampling)}, {await WindowsAsync(sampling)}";
        Row("windows, in the pair that only sleeps and in the one that others load", windows);
        Row("CPU of the process with windows, and without", $"{used[0]:0.00} s, {used[1]:0.00} s");
        Row("CPU of windows, as a share of one core", $"{(used[0] - used[1]) / seconds * 100:0.00} %");
        Row("other requests/s with windows, and without", $"{turns.Average(t => t.Sampling):0}, {turns.Average(t => t.Plain):0}");
        var (low, high) = Interval(turns);
        Row(
            $"throughput of other requests, with windows over without, {turns.Count} turns of 0.25 s each (95 % interval)",
            $"{Ratio(turns):0.000} ({low:0.000} to {high:0.000})");
        return 0;
    }

    private static double Ratio(IReadOnlyCollection<(double Sampling, double Plain)> turns) =>
        turns.Sum(t => t.Sampling) / turns.Sum(t => t.Plain);

    // By drawing as many turns out of them again and again.
    private static (double Low, double High) Interval(List<(double Sampling, double Plain)> turns)
    {
        var random = new Random(1);
        var ratios = Enumerable.Range(0, 2000)
            .Select(_ => Ratio([.. Enumerable.Range(0, turns.Count).Select(_ => turns[random.Next(turns.Count)])])).ToList();
        return (ratios.Percentile(0.025), ratios.Percentile(0.975));
    }

    // What was seen is forgotten again and again, so that a window is due whenever the budget has room for one.
    private static async Task SleepAsync(Server server, CancellationToken stop)
    {
        var since = Stopwatch.StartNew();
        await Task.WhenAll(Enumerable.Range(0, Sleepers).Select(async i =>
        {
            while (!stop.IsCancellationRequested)
            {
                (await server.GetAsync("/sleep?ms=20")).EnsureSuccessStatusCode().Dispose();
                if (i == 0 && since.Elapsed > s_forgetEvery)
                {
                    await server.ResetAsync();
                    since.Restart();
                }
            }
        }));
    }

    private static async Task<double> RateAsync(Server server)
    {
        var (requests, clock) = (0, Stopwatch.StartNew());
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(async _ =>
        {
            while (clock.Elapsed < s_turn)
            {
                (await server.GetAsync("/plain")).EnsureSuccessStatusCode().Dispose();
                Interlocked.Increment(ref requests);
            }
        }));
        return requests / clock.Elapsed.TotalSeconds;
    }

    private static async Task<int> WindowsAsync(Server server) =>
        (await server.ReportAsync()).GetProperty("probe").GetProperty("snapshots").GetProperty("windows").GetInt32();

    private static void Row(string what, string measured) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {what} | {measured} |"));
}
