using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.Measurements;

/// <summary>
/// How soon the lifeline names the work that starves the pool if that work is not a request: a hundred timers, consumers or hosted services
/// that each repeatedly hold a pool thread for half a second.
/// </summary>
internal static class StarvationTold
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private static readonly (string Kind, string Operation)[] s_cases =
        [("timer", "price feed"), ("consumer", "order"), ("service", "import")];

    public static async Task<int> RunAsync(int runs)
    {
        Console.WriteLine("| who blocks | runs | starved after, s | named after, s | at most | named after it was starved, s | at most |");
        Console.WriteLine("|---|--:|--:|--:|--:|--:|--:|");
        foreach (var (kind, operation) in s_cases)
        {
            List<(double Starved, double Named)> all = [];
            for (var run = 0; run < runs; run++)
            {
                all.Add(await MeasureAsync(kind, operation));
            }

            var late = all.Select(one => Math.Max(0, one.Named - one.Starved)).ToList();
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {kind} | {runs} | {all.Select(one => one.Starved).Median():0.0} | {all.Select(one => one.Named).Median():0.0} "
                    + $"| {all.Max(one => one.Named):0.0} | {late.Median():0.0} | {late.Max():0.0} |"));
        }

        return 0;
    }

    /// <returns>The seconds until the pool was starved, and until the operation was named as the cause.</returns>
    private static async Task<(double Starved, double Named)> MeasureAsync(string kind, string operation)
    {
        await using var server = await Server.StartAsync(null, "--environment", "Development");
        await server.LifelineAsync();
        var clock = Stopwatch.StartNew();
        var asked = server.GetAsync($"/occupy-operations?kind={kind}&count=100&ms=500&seconds=60");
        double? starved = null, named = null;
        while (starved is null || named is null)
        {
            if (clock.Elapsed > s_patience)
            {
                throw new InvalidOperationException($"{kind}: starved after {starved} s, named after {named} s, within {s_patience}.");
            }

            var pool = (await server.LifelineAsync()).GetProperty("pool");
            var now = clock.Elapsed.TotalSeconds;
            starved ??= pool.GetProperty("state").GetString() == "starved" ? now : null;
            var isNamed = pool.GetProperty("advice").GetString()?.Contains($"AsyncProbe: {operation}", StringComparison.Ordinal) == true;
            named ??= isNamed ? now : null;
            await Task.Delay(50);
        }

        server.Abandon(asked);
        return (starved.Value, named.Value);
    }
}
