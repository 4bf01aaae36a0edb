using AsyncProbe.Pool.Diagnosis;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Reporting.Http;

public sealed class UnwatchedPoolTests
{
    [Fact]
    public async Task Response_HasNoFigureOfTheWatcher_WhenNothingWatchesThePool()
    {
        PoolMonitor? pool = null;
        await using var app = await ProbedApp.StartAsync(a =>
        {
            pool = a.Services.GetRequiredService<PoolMonitor>();
            a.MapGet("/", () => "x");
        });
        var watched = await app.GetAsync("/");
        pool!.Stop();

        var unwatched = await app.GetAsync("/");

        watched.Headers.Select(header => header.Key).Except(unwatched.Headers.Select(header => header.Key))
            .ShouldBe(["X-ThreadPool-Threads", "X-ThreadPool-Pending", "X-ThreadPool-Queue-Delay-Ms"], ignoreOrder: true);
        watched.Headers.GetValues("Server-Timing").Single().ShouldContain("delay;dur=");
        unwatched.Headers.GetValues("Server-Timing").Single().ShouldNotContain("delay");
    }
}
