using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Measurements;

/// <summary>What being watched costs: the watcher's thread, a report, and browsers with the page open.</summary>
internal static class WatcherCost
{
    private const int Threads = 500;
    private const int Routes = 1000;
    private const int Sites = 500;
    private const int Pages = 20;

    private const int RequestsPerRoute = 12;

    // The URL that pages request, and the Accept-Encoding that browsers send.
    private const string Brief = "/_threadpool?history=10";
    private const string Browsers = "gzip, deflate, br";

    private static readonly TimeSpan s_time = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync()
    {
        Console.WriteLine("| what | measured |");
        Console.WriteLine("|---|--:|");
        await MeasureWatcherAsync();
        await MeasureReportAsync("--environment=Production");
        await MeasureReportAsync("--environment=Development");
        return 0;
    }

    private static async Task MeasureWatcherAsync()
    {
        await using (var server = await Server.StartAsync(null))
        {
            await WarmAsync(server);
            Row("watcher, idle app, share of one core", Percent(await WatcherShareAsync(server)));
            Row($"{Pages} open pages, 2 endpoints, share of one core", Percent(await PagesShareAsync(server)));
            Row($"{Pages} callers of an empty endpoint as often, share of one core", Percent(await PagesShareAsync(server, "/plain")));
        }

        await using var big = await Server.StartAsync(null, $"--min-workers={Threads}");
        await WarmAsync(big);
        await big.SendAsync("/sleep?ms=1000", Threads, Threads);
        Row($"watcher, {Threads} idle pool threads, share of one core", Percent(await WatcherShareAsync(big)));
        var held = big.SendAsync("/sleep?ms=15000", Threads, Threads);
        await Task.Delay(2000);
        Row($"watcher, {Threads} pool threads held and blocked, share of one core", Percent(await WatcherShareAsync(big)));
        await held;
    }

    private static async Task MeasureReportAsync(string environment)
    {
        await using var server = await Server.StartAsync(
            null, environment, $"--routes={Routes}", "--AsyncProbe:Detection=Always", "--AsyncProbe:EmitHeaders=false");
        for (var i = 0; i < Routes; i++)
        {
            await server.SendAsync($"/route{i}", RequestsPerRoute, 2);
        }

        using (await server.GetAsync($"/sites?n={Sites}"))
        {
        }

        var title = $"report of {Routes} endpoints and {Sites} call sites, {environment["--environment=".Length..]}";
        var size = 0L;
        List<double> times = [];
        for (var i = 0; i < 300; i++)
        {
            var clock = Stopwatch.StartNew();
            size = (await server.Client.GetByteArrayAsync(new Uri("/_threadpool", UriKind.Relative))).Length;
            times.Add(clock.Elapsed.TotalMilliseconds);
        }

        var (cpuBefore, reports) = (Cpu(await ReportAsync(server)), 200);
        for (var i = 0; i < reports; i++)
        {
            await server.Client.GetByteArrayAsync(new Uri("/_threadpool", UriKind.Relative));
        }

        var cpu = (Cpu(await ReportAsync(server)) - cpuBefore) / reports;
        var plain = new List<double>();
        for (var i = 0; i < 300; i++)
        {
            var clock = Stopwatch.StartNew();
            await server.Client.GetByteArrayAsync(new Uri("/plain", UriKind.Relative));
            plain.Add(clock.Elapsed.TotalMilliseconds);
        }

        Row($"{title}: size", $"{size / 1000.0:0} kB");
        Row($"{title}: time beyond a plain request, median", $"{times.Skip(100).Median() - plain.Skip(100).Median():0.0} ms");
        Row($"{title}: CPU time of the server, sending included", $"{cpu:0.0} ms");
        Row($"{title}: {Pages} open pages, share of one core", Percent(await PagesShareAsync(server)));
        Row(
            $"{title}: {Pages} callers that take no gzip, share of one core",
            Percent(await PagesShareAsync(server, encodings: "identity")));
    }

    /// <summary>
    /// Warms up until the JIT has compiled the report, including requests for it that arrive one at a time, as pages send them.
    /// </summary>
    private static async Task WarmAsync(Server server)
    {
        for (var round = 0; round < 3; round++)
        {
            await PagesAsync(server, TimeSpan.FromSeconds(3), every: TimeSpan.FromMilliseconds(40));
            await Task.Delay(1000);
        }
    }

    /// <summary>What the pages cost on top of what the process uses without them.</summary>
    private static async Task<double> PagesShareAsync(Server server, string address = Brief, string encodings = Browsers)
    {
        await WarmAsync(server);
        var idle = await ShareAsync(server, Cpu);
        var pages = PagesAsync(server, s_time + TimeSpan.FromSeconds(3), every: TimeSpan.FromSeconds(1), address, encodings);
        await Task.Delay(1500);
        var share = await ShareAsync(server, Cpu);
        await pages;
        return share - idle;
    }

    /// <summary>Sends the requests of several browsers, each at its own moment.</summary>
    private static async Task PagesAsync(Server server, TimeSpan time, TimeSpan every, string address = Brief, string encodings = Browsers)
    {
        using var stop = new CancellationTokenSource(time);
        await Task.WhenAll(Enumerable.Range(0, Pages).Select(async page =>
        {
            await Task.Delay(page * every / Pages);
            while (!stop.IsCancellationRequested)
            {
                using var request = new HttpRequestMessage(HttpMethod.Get, address);
                request.Headers.AcceptEncoding.ParseAdd(encodings);
                using var response = await server.Client.SendAsync(request);
                await Task.Delay(every);
            }
        }));
    }

    private static Task<double> WatcherShareAsync(Server server) =>
        ShareAsync(server, r => r.GetProperty("probe").GetProperty("cpuMs").GetDouble());

    private static async Task<double> ShareAsync(Server server, Func<JsonElement, double> cpu)
    {
        var before = await ReportAsync(server);
        await Task.Delay(s_time);
        var after = await ReportAsync(server);
        return (cpu(after) - cpu(before)) / (Uptime(after) - Uptime(before));
    }

    private static double Cpu(JsonElement report) => report.GetProperty("process").GetProperty("cpuMs").GetDouble();

    private static double Uptime(JsonElement report) => report.GetProperty("process").GetProperty("uptimeMs").GetDouble();

    // Pages share a report for a moment; this requests a separate one.
    private static async Task<JsonElement> ReportAsync(Server server) =>
        JsonDocument.Parse(
            await server.Client.GetStringAsync(new Uri("/_threadpool?history=1&endpoint=none", UriKind.Relative))).RootElement;

    private static void Row(string what, string measured) => Console.WriteLine($"| {what} | {measured} |");

    private static string Percent(double share) => $"{share * 100:0.00} %";
}
