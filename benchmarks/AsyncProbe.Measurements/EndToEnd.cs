namespace AsyncProbe.Measurements;

/// <summary>
/// The same app with and without AsyncProbe, alternately, under wrk: the server saturates one core, and the client runs on the other. Only
/// the ratio of consecutive runs matters; the absolute rates depend on the machine.
/// </summary>
internal static class EndToEnd
{
    private const int Connections = 32;
    private const int Seconds = 3;

    public static async Task<int> RunAsync(int pairs)
    {
        Console.WriteLine("| endpoint | pairs | median ratio | p10 | p90 | requests/s without |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|");
        await MeasureAsync("trivial, no headers", "/plain", pairs, "--AsyncProbe:EmitHeaders=false");
        await MeasureAsync("trivial, with headers", "/plain", pairs, "--AsyncProbe:EmitHeaders=true");
        await MeasureAsync(
            "trivial, the same headers with constant values and no AsyncProbe", "/plain", pairs, "--probe=off", "--constant-headers=true");
        await MeasureAsync("ten suspended awaits, no headers", "/awaits?n=10", pairs, "--AsyncProbe:EmitHeaders=false");
        return 0;
    }

    private static async Task MeasureAsync(string title, string path, int pairs, params string[] arguments)
    {
        await using var without = await Server.StartAsync(0, "--probe=off");
        await using var with = await Server.StartAsync(0, arguments);
        await Wrk.RateAsync(without.Url + path, Connections, Seconds * 2, core: 1);
        await Wrk.RateAsync(with.Url + path, Connections, Seconds * 2, core: 1);

        List<(double With, double Without)> rates = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            // Alternate which one goes first, so that a drift of the machine favours neither.
            var first = pair % 2 == 0 ? without : with;
            var second = pair % 2 == 0 ? with : without;
            var firstRate = await Wrk.RateAsync(first.Url + path, Connections, Seconds, core: 1);
            var secondRate = await Wrk.RateAsync(second.Url + path, Connections, Seconds, core: 1);
            rates.Add(pair % 2 == 0 ? (secondRate, firstRate) : (firstRate, secondRate));
        }

        var ratios = rates.Select(r => r.With / r.Without).ToArray();
        Console.WriteLine(
            $"| {title} | {pairs} | {ratios.Median():0.000} | {ratios.Percentile(0.1):0.000} | {ratios.Percentile(0.9):0.000} "
                + $"| {rates.Select(r => r.Without).Median():0} |");
    }
}
