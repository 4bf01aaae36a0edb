using System.Globalization;

namespace AsyncProbe.Peers;

/// <summary>
/// The process of one variant: reads "path requests" from its input and writes what a request cost, or "path requests cores" and writes how
/// many requests it answered a second on that many cores.
/// </summary>
internal static class Worker
{
    public static async Task<int> RunAsync(Variant variant)
    {
        await using var database = new WorkerDatabase();
        var (app, server) = await PeerApp.StartAsync(variant);
        await using (app)
        {
            while (await Console.In.ReadLineAsync() is { } line)
            {
                var words = line.Split(' ');
                var (path, requests) = (words[0], int.Parse(words[1], CultureInfo.InvariantCulture));
                Console.WriteLine(words.Length == 2
                    ? (await Task.Run(() => MeasureAsync(server, path, requests))).ToString()
                    : PinnedThreads.RateOf(server, path, requests, int.Parse(words[2], CultureInfo.InvariantCulture))
                        .ToString("R", CultureInfo.InvariantCulture));
            }

            await app.StopAsync();
        }

        return 0;
    }

    // Measures the CPU time of the whole process: an observer's other threads count as its cost, but other processes don't.
    private static async Task<Measured> MeasureAsync(LoopServer server, string path, int requests)
    {
        var bytes = GC.GetTotalAllocatedBytes(precise: true);
        var cpu = Environment.CpuUsage.TotalTime;
        await server.SendAsync(path, requests);
        var used = Environment.CpuUsage.TotalTime - cpu;
        return new Measured(used.TotalMicroseconds / requests, (double)(GC.GetTotalAllocatedBytes(precise: true) - bytes) / requests);
    }
}
