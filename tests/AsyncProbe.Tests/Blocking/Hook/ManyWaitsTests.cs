using System.Diagnostics;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>A second of waiting is a second, whether in one piece or in hundreds.</summary>
public sealed class ManyWaitsTests
{
    private const double Tolerance = 0.1;

    [Theory]
    [InlineData(200, 5)]
    [InlineData(1, 1000)]
    public async Task Totals_AreWhatWasTrulyWaited_InManyPiecesOrOne(int times, int ms)
    {
        var truth = TimeSpan.Zero;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/x", () =>
        {
            using var never = new ManualResetEvent(false);
            for (var i = 0; i < times; i++)
            {
                var began = Stopwatch.GetTimestamp();
                never.WaitOne(ms);
                truth += Stopwatch.GetElapsedTime(began);
            }
        }));
        // The first request of a process also loads and compiles code.
        await app.GetManyAsync("/x", 1);
        await app.EndpointAsync("GET /x");
        await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);
        truth = TimeSpan.Zero;
        await app.GetManyAsync("/x", 1);
        var row = await app.EndpointAsync("GET /x");
        var site = (await app.SitesAsync("GET /x")).ShouldHaveSingleItem();
        var trulyMs = truth.TotalMilliseconds;

        // The handler's stopwatch also counts the hook's own work for each wait, which is CPU time.
        var cpuMs = row.Ms("cpuMs");
        site.Count("count").ShouldBe(times);
        site.Ms("blockedMs").ShouldBeInRange((trulyMs - cpuMs - row.Ms("cpuWaitMs")) * (1 - Tolerance), trulyMs);

        // After each wait the thread may also have to wait for a core, which isn't blocked time.
        row.Ms("blockedMs").ShouldBeInRange(times * ms * (1 - Tolerance), trulyMs * (1 + Tolerance));
        (row.Ms("blockedMs") + row.Ms("cpuWaitMs") + cpuMs).ShouldBe(trulyMs, trulyMs * Tolerance);
        Console.WriteLine($"{times} x {ms} ms: truly {trulyMs:0.0} ms, site {site.Ms("blockedMs"):0.0} ms, "
            + $"clock {row.Ms("blockedMs"):0.0} ms blocked, "
            + $"{row.Ms("cpuWaitMs"):0.0} ms cpuWait, {cpuMs:0.0} ms cpu");
    }
}
