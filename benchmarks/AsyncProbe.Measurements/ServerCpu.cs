using System.Globalization;

namespace AsyncProbe.Measurements;

/// <summary>
/// The CPU time that the server uses per request without AsyncProbe, divided by that with it, by the server process's own clock, so that
/// other programs don't count. The server runs on one core, and the two take turns.
/// </summary>
internal static class ServerCpu
{
    private const int Connections = 32;

    public static async Task<int> RunAsync(int pairs, int seconds)
    {
        Console.WriteLine("| endpoint | pairs | median ratio | second lowest to second highest | µs a request without | with |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|");
        string[] plain = ["--probe=off"];
        await MeasureAsync("trivial, no headers", "/plain", pairs, seconds, plain, ["--AsyncProbe:EmitHeaders=false"]);
        await MeasureAsync(
            "trivial, headers against nine constant ones", "/plain", pairs, seconds, [.. plain, "--constant-headers=true"],
            ["--AsyncProbe:EmitHeaders=true"]);
        await MeasureAsync("ten suspended awaits, no headers", "/awaits?n=10", pairs, seconds, plain, ["--AsyncProbe:EmitHeaders=false"]);
        return 0;
    }

    private static async Task MeasureAsync(
        string title, string path, int pairs, int seconds, string[] withoutArguments, string[] withArguments)
    {
        await using var without = await Server.StartAsync(0, withoutArguments);
        await using var with = await Server.StartAsync(0, withArguments);
        await CpuAsync(without, path, seconds * 2);
        await CpuAsync(with, path, seconds * 2);

        List<(double With, double Without)> costs = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            // Alternate which one goes first, so that a drift of the machine favours neither.
            var first = await CpuAsync(pair % 2 == 0 ? without : with, path, seconds);
            var second = await CpuAsync(pair % 2 == 0 ? with : without, path, seconds);
            costs.Add(pair % 2 == 0 ? (second, first) : (first, second));
        }

        // With eight pairs, the median lies between these two values in 93 of 100 cases.
        var ratios = costs.Select(c => c.Without / c.With).Order().ToArray();
        var (low, high) = pairs > 2 ? (ratios[1], ratios[^2]) : (ratios[0], ratios[^1]);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {title} | {pairs} | {ratios.Median():0.000} | {low:0.000} to {high:0.000} | {costs.Select(c => c.Without).Median():0.00} "
                + $"| {costs.Select(c => c.With).Median():0.00} |"));
    }

    /// <returns>Microseconds per request.</returns>
    private static async Task<double> CpuAsync(Server server, string path, int seconds)
    {
        var before = server.Cpu;
        var requests = await Wrk.CountAsync(server.Url + path, Connections, seconds, core: 1);
        return (server.Cpu - before).TotalMicroseconds / requests;
    }
}
