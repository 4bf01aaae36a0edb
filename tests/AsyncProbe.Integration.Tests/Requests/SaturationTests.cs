using System.Collections.Concurrent;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Requests;

/// <summary>64 clients on a pool of 16, each request 18 ms of sleep and 2 ms of CPU: cpuWait grows, and blocked must not change.</summary>
public sealed class SaturationTests
{
    private const string Path = "/work?sleep=18&cpuMicroseconds=2000";

    [Fact]
    public async Task Blocked_StaysTheSleep_WhenTheThreadsFightForTheCores()
    {
        await using var server = await ServerProcess.StartAsync("--max-workers=16", "--AsyncProbe:EmitHeaders=true");
        await SendAsync(server, 200, 16);
        await server.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);

        var blocked = await SendAsync(server, 1500, 64);

        var row = (await server.ReportAsync()).GetProperty("endpoints").EnumerateArray()
            .Single(e => e.GetProperty("endpoint").GetString() == "GET /work");
        row.Ms("blockedMs", "mean").ShouldBeInRange(17, 24, "of the 10 ms in which each stands in line for a core, none is blocked");

        // The headers are read while the segment is open. A thread switch in the middle of reading once cost 2 to 15 ms.
        blocked.Order().ElementAt(blocked.Count / 2).ShouldBeInRange(17.5, 20);
    }

    private static async Task<ConcurrentBag<double>> SendAsync(ServerProcess server, int requests, int clients)
    {
        ConcurrentBag<double> blocked = [];
        var left = requests;
        await Task.WhenAll(Enumerable.Range(0, clients).Select(async _ =>
        {
            while (Interlocked.Decrement(ref left) >= 0)
            {
                using var response = await server.Client.GetAsync(new Uri(Path, UriKind.Relative));
                blocked.Add(response.Number("X-AsyncProbe-Blocked-Ms"));
            }
        }));
        return blocked;
    }
}
