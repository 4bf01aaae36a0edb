using System.Text.Json;

namespace AsyncProbe.Measurements;

/// <summary>Compares what the report predicts from a light run with what wrk then reaches.</summary>
internal static class Prediction
{
    private const int Clients = 64;

    // A few clients of an async endpoint wait in step and leave the cores idle at the same time.
    private const int AsyncClients = 256;
    private const int FillSeconds = 8;
    private const int Seconds = 15;

    private static readonly Case[] s_cases =
    [
        new("sleep 50", "/sleep?ms=50", "GET /sleep", null),
        new("CPU 5", "/cpu?ms=5", "GET /cpu", null),
        new("sleep 2 + CPU 0.2", "/work?sleep=2&cpuMicroseconds=200", "GET /work", null),
        new("sleep 18 + CPU 2", "/work?sleep=18&cpuMicroseconds=2000", "GET /work", "/work-async?sleep=18&cpuMicroseconds=2000"),
        new("sleep 150 + CPU 50", "/work?sleep=150&cpuMicroseconds=50000", "GET /work", "/work-async?sleep=150&cpuMicroseconds=50000"),
    ];

    public static async Task<int> RunAsync(string[] titles)
    {
        Console.WriteLine(
            "| endpoint, pool of 16 | predicted low | high | measured | measured ÷ low | measured ÷ high | CPU ms light | at saturation | "
                + "if async: predicted | measured | CPU ms at saturation |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        foreach (var one in s_cases.Where(c => titles.Length == 0 || titles.Contains(c.Title)))
        {
            await MeasureAsync(one);
        }

        return 0;
    }

    private static async Task MeasureAsync(Case one)
    {
        var (title, path, endpoint, asyncTwin) = one;
        await using var server = await Server.StartAsync(null, "--max-workers=16");
        await server.SendAsync(path, 200, 3);
        await server.ResetAsync();
        await server.SendAsync(path, 200, 3);
        await Task.Delay(1200);
        var row = await server.EndpointAsync(endpoint);
        var ceiling = row.GetProperty("ceilingPerSecond");
        var (low, high) = Range(ceiling.GetProperty("now"));
        var (measured, cpu) = await RateAsync(server, path, endpoint, Clients);

        // Two busy cores may be two halves of one physical core: the same work then takes more CPU time than in a light run.
        var ifAsync = " |  | ";
        if (asyncTwin is not null)
        {
            await server.SendAsync(asyncTwin, 100, 3);
            var (asyncLow, asyncHigh) = Range(ceiling.GetProperty("ifAsync"));
            var (measuredAsync, asyncCpu) = await RateAsync(server, asyncTwin, endpoint + "-async", AsyncClients);
            ifAsync = $"{(asyncLow is null ? "up to" : $"{asyncLow:0} to")} {asyncHigh:0} | {measuredAsync:0} | {asyncCpu:0.00}";
        }

        Console.WriteLine($"| {title} | {low:0} | {high:0} | {measured:0} | {measured / low:0.00} | {measured / high:0.00} "
            + $"| {row.GetProperty("cpuMs").GetProperty("mean").GetDouble():0.00} | {cpu:0.00} | {ifAsync} |");
    }

    /// <summary>
    /// The rate between two reports while wrk saturates the server. A whole run would include its beginning, when all clients wait for
    /// their first answer and the queue holds seconds of work.
    /// </summary>
    private static async Task<(double PerSecond, double CpuMs)> RateAsync(Server server, string path, string endpoint, int clients)
    {
        var load = Wrk.RateAsync(server.Url + path, clients, FillSeconds + Seconds + 1);
        await Task.Delay(TimeSpan.FromSeconds(FillSeconds));
        var first = await LookAsync(server, endpoint);
        await Task.Delay(TimeSpan.FromSeconds(Seconds));
        var last = await LookAsync(server, endpoint);
        await load;

        // The server is still processing requests that wrk abandoned; they would count towards the next run.
        await server.DrainAsync();
        var requests = last.Requests - first.Requests;
        return (requests / (last.UptimeMs - first.UptimeMs) * 1000, (last.CpuMs - first.CpuMs) / requests);
    }

    private static async Task<(double UptimeMs, double Requests, double CpuMs)> LookAsync(Server server, string endpoint)
    {
        var report = await server.LifelineAsync();
        var row = report.GetProperty("endpoints").EnumerateArray().Single(e => e.GetProperty("endpoint").GetString() == endpoint);
        return (report.GetProperty("process").GetProperty("uptimeMs").GetDouble(), row.GetProperty("requests").GetDouble(),
            row.GetProperty("cpuMs").GetProperty("total").GetDouble());
    }

    private static (double? Low, double? High) Range(JsonElement rate) =>
        (NumberOrNull(rate.GetProperty("low")), NumberOrNull(rate.GetProperty("high")));

    private static double? NumberOrNull(JsonElement value) => value.ValueKind == JsonValueKind.Number ? value.GetDouble() : null;

    private sealed record Case(string Title, string Path, string Endpoint, string? AsyncTwin);
}
