using System.Globalization;

namespace AsyncProbe.Peers;

/// <summary>
/// Compares how much the rate of one endpoint gains from a second core, with and without an observer. Memory that both cores write to would
/// lower the gain.
/// </summary>
internal static class SecondCore
{
    private static readonly string[] s_variants = [Variants.Bare, "bare-again", "otel-metrics", "otel-traces", "production", "headers"];

    private static readonly TimeSpan s_perRound = TimeSpan.FromMilliseconds(100);

    private static readonly IReadOnlyList<Workload> s_workloads = [.. Workload.All.Where(w => w.Path is "/empty" or "/compute")];

    public static async Task<int> RunAsync(int rounds)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        List<WorkerProcess> workers = [];
        try
        {
            foreach (var name in s_variants)
            {
                workers.Add(await WorkerProcess.StartAsync(Variants.Find(name)));
            }

            Console.WriteLine($"| requests a second on one core and on two, medians of {rounds} rounds | endpoint | one | two | gain | compared |");
            Console.WriteLine("|---|---|--:|--:|--:|--:|");
            foreach (var workload in s_workloads)
            {
                await CompareAsync(workers, workload, rounds);
            }
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

    private static async Task CompareAsync(List<WorkerProcess> workers, Workload workload, int rounds)
    {
        Dictionary<WorkerProcess, List<(double One, double Two)>> rates = [];
        Dictionary<WorkerProcess, int> requests = [];
        foreach (var worker in workers)
        {
            rates[worker] = [];
            var cost = await Comparison.WarmUpAsync(worker, workload, s_perRound, warmUps: 8);
            requests[worker] = Math.Max(10, (int)(s_perRound.TotalMicroseconds / cost.Microseconds));
        }

        for (var round = 0; round < rounds; round++)
        {
            for (var i = 0; i < workers.Count; i++)
            {
                var worker = workers[(i + round) % workers.Count];
                rates[worker].Add((
                    await worker.RateOnAsync(1, workload, requests[worker]), await worker.RateOnAsync(2, workload, requests[worker])));
            }
        }

        var bare = rates[workers[0]].ConvertAll(rate => rate.Two / rate.One);
        foreach (var worker in workers)
        {
            var mine = rates[worker];
            var gains = mine.ConvertAll(rate => rate.Two / rate.One);
            Console.WriteLine(
                $"| {worker.Variant.Title} | {workload.Title} | {PeersTable.Median(mine.Select(r => r.One)):#,##0} | "
                    + $"{PeersTable.Median(mine.Select(r => r.Two)):#,##0} | {PeersTable.Median(gains):0.000} | "
                    + $"{PeersTable.Median(gains.Zip(bare, (gain, without) => gain / without)):0.000} |");
        }
    }
}
