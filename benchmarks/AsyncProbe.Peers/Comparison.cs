using System.Globalization;

namespace AsyncProbe.Peers;

/// <summary>Runs all variants in turn, round by round, and prints the tables.</summary>
internal static class Comparison
{
    private const int MostWarmUps = 200;

    /// <param name="rounds">How many rounds to measure.</param>
    /// <param name="perRound">How long a round takes at least.</param>
    /// <param name="fewest">How many requests a round has at least. A query allocates so much that the collector runs every few requests.</param>
    /// <param name="warmUps">How many rounds in a row must be no faster before measuring begins.</param>
    /// <param name="names">The variants; empty for all.</param>
    public static async Task<int> RunAsync(int rounds, TimeSpan perRound, int fewest, int warmUps, params string[] names)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        List<WorkerProcess> workers = [];
        try
        {
            foreach (var variant in Variants.All.Where(v => names.Length == 0 || v.IsNeededFor(names)))
            {
                workers.Add(await WorkerProcess.StartAsync(variant));
            }

            var tables = new PeersTable();
            foreach (var workload in Workload.All)
            {
                tables.Add(workload, await MeasureAsync(workers, workload, rounds, perRound, fewest, warmUps));
            }

            Console.Write(tables.Render(rounds));
        }
        finally
        {
            foreach (var worker in workers)
            {
                await worker.DisposeAsync();
            }
        }

        return 0;
    }

    private static async Task<Dictionary<string, Measured[]>> MeasureAsync(
        List<WorkerProcess> workers, Workload workload, int rounds, TimeSpan perRound, int fewest, int warmUps)
    {
        var requests = 0;
        foreach (var worker in workers)
        {
            var cost = await WarmUpAsync(worker, workload, perRound, warmUps);
            requests = requests == 0 ? Math.Max(fewest, (int)(perRound.TotalMicroseconds / cost.Microseconds)) : requests;
        }

        var measured = workers.ToDictionary(w => w.Variant.Name, _ => new Measured[rounds]);
        for (var round = 0; round < rounds; round++)
        {
            // Start each round with another variant, so that no variant always runs after the same one.
            for (var i = 0; i < workers.Count; i++)
            {
                var worker = workers[(i + round) % workers.Count];
                measured[worker.Variant.Name][round] = await worker.SendAsync(workload, requests);
            }
        }

        return measured;
    }

    // The compiler optimises in the background. Stop when this many rounds in a row were not at least 5 % faster than the fastest before.
    public static async Task<Measured> WarmUpAsync(WorkerProcess worker, Workload workload, TimeSpan perRound, int warmUps)
    {
        var fastest = await worker.SendAsync(workload, 40);
        for (var (i, same) = (0, 0); i < MostWarmUps && same < warmUps; i++)
        {
            var cost = await worker.SendAsync(workload, Math.Max(10, (int)(perRound.TotalMicroseconds / fastest.Microseconds)));
            same = cost.Microseconds < 0.95 * fastest.Microseconds ? 0 : same + 1;
            fastest = cost.Microseconds < fastest.Microseconds ? cost : fastest;
        }

        return fastest;
    }
}
