using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.Measurements;

/// <summary>
/// What windows cost while an endpoint's blocked time never stays explained for long: CPU, and the throughput of other requests.
/// </summary>
internal static class WindowCost
{
    private const int Sleepers = 2;
    private const int Clients = 2;

    // Linux keeps only 15 characters of a thread's name.
    private const string WindowThread = "AsyncProbe wind";

    private static readonly string[] s_sampling = ["--snapshots=true", "--environment=Production"];
    private static readonly string[] s_plain = [.. s_sampling, "--AsyncProbe:StackSnapshots:SampleUnexplained=false"];
    private static readonly TimeSpan s_forgetEvery = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_settling = TimeSpan.FromSeconds(5);

    /// <param name="minutes">How long to measure.</param>
    public static async Task<int> RunAsync(int minutes)
    {
        // One pair measures CPU with only the sleeping requests; the other is constantly loaded by other requests.
        await using var cpuSampling = await Server.StartAsync(null, s_sampling);
        await using var cpuPlain = await Server.StartAsync(null, s_plain);
        await using var loaded = await Server.StartAsync(null, s_sampling);
        Server[] all = [cpuSampling, cpuPlain, loaded];
        foreach (var server in all)
        {
            await server.SendAsync("/sleep?ms=1", 200, Sleepers);
            await server.SendAsync("/plain", 3000, Clients);
        }

        using var stop = new CancellationTokenSource();
        var answered = 0L;
        var others = LoadAsync(loaded, () => Interlocked.Increment(ref answered), stop.Token);
        await Task.Delay(s_settling);
        var cpu = all.Select(server => server.Cpu).ToArray();
        var clock = Stopwatch.StartNew();
        var background = all.Select(server => SleepAsync(server, stop.Token)).Append(others).ToList();
        var disturbance = new Disturbance();
        await disturbance.WatchAsync(
            () => Interlocked.Read(ref answered), () => loaded.HasThread(WindowThread), TimeSpan.FromMinutes(minutes));
        var seconds = clock.Elapsed.TotalSeconds;
        var used = all.Select((server, i) => (server.Cpu - cpu[i]).TotalSeconds).ToArray();
        await stop.CancelAsync();
        await Task.WhenAll(background);
        Console.WriteLine("| over the same time | measured |");
        Console.WriteLine("|---|--:|");
        Row("seconds", $"{seconds:0}");
        Row(
            "windows, in the pair that only sleeps and in the server that others load",
            $"{await WindowsAsync(cpuSampling)}, {await WindowsAsync(loaded)}");
        Row("CPU of the process with windows, and without", $"{used[0]:0.00} s, {used[1]:0.00} s");
        Row("CPU of windows, as a share of one core", $"{(used[0] - used[1]) / seconds * 100:0.00} %");
        Row("other requests/s", $"{disturbance.RequestsPerSecond:0}");
        Row("time with a window or the second after it", $"{100 * disturbance.DisturbedShare:0.0} %");
        var (low, high) = disturbance.Interval();
        Row(
            $"throughput of other requests over what the rate before each of {disturbance.Windows} windows would have given (95 % interval)",
            $"{disturbance.Ratio:0.000} ({low:0.000} to {high:0.000})");
        return 0;
    }

    // Resets what was seen repeatedly, so that a window is due whenever the budget allows one.
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

    private static Task LoadAsync(Server server, Action onAnswer, CancellationToken stop) =>
        Task.WhenAll(Enumerable.Range(0, Clients).Select(async _ =>
        {
            while (!stop.IsCancellationRequested)
            {
                (await server.GetAsync("/plain")).EnsureSuccessStatusCode().Dispose();
                onAnswer();
            }
        }));

    private static async Task<int> WindowsAsync(Server server) =>
        (await server.ReportAsync()).GetProperty("probe").GetProperty("snapshots").GetProperty("windows").GetInt32();

    private static void Row(string what, string measured) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {what} | {measured} |"));
}
