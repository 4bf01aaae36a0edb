using System.Globalization;

namespace AsyncProbe.Measurements;

/// <summary>
/// Whether the wait hook makes requests that await wait for each other. A server with the hook in every request and one without it answer
/// in turn. The number of times that a thread had to wait for a lock is the runtime's own count.
/// </summary>
internal static class HookAwaits
{
    private const int Clients = 16;

    private static readonly (string Title, string Path)[] s_cases =
    [
        ("fifty awaits of `Task.Yield`", "/awaits?n=50"),
        ("ten awaits that other threads complete", "/awaits-elsewhere?n=10"),
    ];

    /// <param name="rounds">How often both servers take their turn.</param>
    /// <param name="seconds">How long a turn lasts.</param>
    public static async Task<int> RunAsync(int rounds, int seconds)
    {
        Console.WriteLine("| request | requests a second, Off | Always | ratio | contentions in 1,000 requests, Off | Always | sites |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|--:|");
        await using var off = await Server.StartAsync(core: null, "--AsyncProbe:Detection", "Off");
        await using var always = await Server.StartAsync(core: null, "--AsyncProbe:Detection", "Always");
        foreach (var (title, path) in s_cases)
        {
            await MeasureAsync(off, path, seconds);
            await MeasureAsync(always, path, seconds);
            List<(Turn Off, Turn Always)> all = [];
            for (var round = 0; round < rounds; round++)
            {
                var (first, second) = round % 2 == 0 ? (off, always) : (always, off);
                var (one, other) = (await MeasureAsync(first, path, seconds), await MeasureAsync(second, path, seconds));
                all.Add(round % 2 == 0 ? (one, other) : (other, one));
            }

            var ratios = all.Select(t => t.Always.Rate / t.Off.Rate).ToList();
            var sites = (await always.ReportAsync()).GetProperty("sites").GetArrayLength();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {title} | {all.Select(t => t.Off.Rate).Median():N0} | {all.Select(t => t.Always.Rate).Median():N0} "
                    + $"| {ratios.Median():0.000} ({ratios.Min():0.000} to {ratios.Max():0.000}) "
                    + $"| {all.Select(t => t.Off.Contentions).Median():0.000} | {all.Select(t => t.Always.Contentions).Median():0.000} | {sites} |"));
        }

        return 0;
    }

    private static async Task<Turn> MeasureAsync(Server server, string path, int seconds)
    {
        var before = await ContentionsAsync(server);
        var requests = await Wrk.CountAsync(server.Url + path, Clients, seconds);
        return new Turn(requests / seconds, (await ContentionsAsync(server) - before) * 1000 / requests);
    }

    private static async Task<double> ContentionsAsync(Server server) =>
        double.Parse(await server.Client.GetStringAsync(new Uri("/contentions", UriKind.Relative)), CultureInfo.InvariantCulture);

    /// <param name="Rate">Requests a second.</param>
    /// <param name="Contentions">How often a thread had to wait for a lock, in 1,000 requests.</param>
    private sealed record Turn(double Rate, double Contentions);
}
