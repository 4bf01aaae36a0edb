using System.Globalization;
using System.Text.Json;

namespace AsyncProbe.Measurements;

/// <summary>
/// Whether sampling changes what it measures: the blocked and held time of loaded endpoints in a server that samples, divided by that in
/// one that doesn't.
/// </summary>
internal static class SampledTime
{
    private const int Clients = 4;

    private static readonly string[] s_paths = ["/sleep?ms=20", "/task-wait?ms=20", "/work?sleep=10&cpuMicroseconds=2000"];
    private static readonly string[] s_sampling = ["--snapshots=true", "--environment=Production"];
    private static readonly string[] s_plain = [.. s_sampling, "--AsyncProbe:StackSnapshots:SampleUnexplained=false"];

    // The first window begins after more than two seconds of blocked time without a line.
    private static readonly TimeSpan s_turn = TimeSpan.FromSeconds(6);

    /// <param name="rounds">How often each server has its turn.</param>
    public static async Task<int> RunAsync(int rounds)
    {
        Console.WriteLine("| endpoint | rounds | windows | blocked | 95 % interval | held | 95 % interval |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|--:|");
        foreach (var path in s_paths)
        {
            await CompareAsync(path, rounds);
        }

        return 0;
    }

    private static async Task CompareAsync(string path, int rounds)
    {
        await using var sampling = await Server.StartAsync(null, s_sampling);
        await using var plain = await Server.StartAsync(null, s_plain);
        await sampling.SendAsync(path, 200, Clients);
        await plain.SendAsync(path, 200, Clients);
        List<double> blocked = [], held = [];
        var windows = 0;
        for (var round = 0; round < rounds; round++)
        {
            // A machine that becomes faster or slower must not favour one of the two.
            var isFirst = round % 2 == 0;
            var first = await MeasureAsync(isFirst ? sampling : plain, path);
            var second = await MeasureAsync(isFirst ? plain : sampling, path);
            var (with, without) = isFirst ? (first, second) : (second, first);
            blocked.Add(with.Blocked / without.Blocked);
            held.Add(with.Held / without.Held);
            windows += with.Windows;
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"| `{path}` | {rounds} | {windows} | {Ratio(blocked)} | {Ratio(held)} |"));
    }

    // Forgets what is known about the endpoint, so that windows look at it again.
    private static async Task<(double Blocked, double Held, int Windows)> MeasureAsync(Server server, string path)
    {
        await server.ResetAsync();
        var before = Windows(await server.ReportAsync());
        using var stop = new CancellationTokenSource(s_turn);
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(async _ =>
        {
            while (!stop.IsCancellationRequested)
            {
                (await server.GetAsync(path)).EnsureSuccessStatusCode().Dispose();
            }
        }));
        var row = await server.EndpointAsync("GET " + path[..path.IndexOf('?', StringComparison.Ordinal)]);
        return (Mean(row, "blockedMs"), Mean(row, "heldMs"), Windows(await server.ReportAsync()) - before);
    }

    private static string Ratio(List<double> ratios)
    {
        ratios.Sort();
        var (low, high) = ratios.IntervalOfMedian();
        return string.Create(CultureInfo.InvariantCulture, $"{ratios.Median():0.000} | {low:0.000} to {high:0.000}");
    }

    private static double Mean(JsonElement row, string figure) => row.GetProperty(figure).GetProperty("mean").GetDouble();

    private static int Windows(JsonElement report) =>
        report.GetProperty("probe").GetProperty("snapshots").GetProperty("windows").GetInt32();
}
