using System.Text.Json;

namespace AsyncProbe.Measurements;

/// <summary>What the report predicts from a light run, beside what wrk then reaches.</summary>
internal static class Prediction
{
    private const int Clients = 64;

    // Few clients of an async endpoint wait in step and leave the cores idle together.
    private const int AsyncClients = 256;
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
        Console.WriteLine("| endpoint, pool of 16 | predicted low | high | measured | measured ÷ low | measured ÷ high | if async: predicted | measured |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|--:|--:|");
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
        var ceiling = (await server.EndpointAsync(endpoint)).GetProperty("ceilingPerSecond");
        var (low, high) = Range(ceiling.GetProperty("now"));
        var measured = await RateAsync(server, path, Clients);

        var ifAsync = "";
        var measuredAsync = "";
        if (asyncTwin is not null)
        {
            await server.SendAsync(asyncTwin, 100, 3);
            var (asyncLow, asyncHigh) = Range(ceiling.GetProperty("ifAsync"));
            ifAsync = asyncLow is null ? $"up to {asyncHigh:0}" : $"{asyncLow:0} to {asyncHigh:0}";
            measuredAsync = $"{await RateAsync(server, asyncTwin, AsyncClients):0}";
        }

        Console.WriteLine($"| {title} | {low:0} | {high:0} | {measured:0} | {measured / low:0.00} | {measured / high:0.00} | {ifAsync} | {measuredAsync} |");
    }

    private static async Task<double> RateAsync(Server server, string path, int clients)
    {
        await Wrk.RateAsync(server.Url + path, clients, 2);

        // What wrk left behind when it hung up is still being served, and would be counted against the next run.
        await server.DrainAsync();
        var rate = await Wrk.RateAsync(server.Url + path, clients, Seconds);
        await server.DrainAsync();
        return rate;
    }

    private static (double? Low, double? High) Range(JsonElement rate) => (NumberOrNull(rate.GetProperty("low")), NumberOrNull(rate.GetProperty("high")));

    private static double? NumberOrNull(JsonElement value) => value.ValueKind == JsonValueKind.Number ? value.GetDouble() : null;

    private sealed record Case(string Title, string Path, string Endpoint, string? AsyncTwin);
}
