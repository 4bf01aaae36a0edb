using AsyncProbe.TestServer;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Requests;

/// <summary>What a request's held time is made of, by the headers and by the report, on real Kestrel.</summary>
public sealed class SplitOfRequestTests
{
    [Fact]
    public async Task Sleep_IsBlocked_ForAsLongAsItSleeps()
    {
        await using var app = await StartAsync();

        var response = await app.GetAsync("/sleep");

        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeInRange(95, 400);
        response.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThanOrEqualTo(response.Number("X-AsyncProbe-Blocked-Ms"));
        (await app.EndpointAsync("GET /sleep")).Ms("blockedMs").ShouldBeInRange(95, 400);
    }

    [Fact]
    public async Task SyncOverAsync_IsBlocked_ForAsLongAsItWaits()
    {
        await using var app = await StartAsync();

        (await app.GetAsync("/task-wait")).Number("X-AsyncProbe-Blocked-Ms").ShouldBeInRange(95, 400);
    }

    [Fact]
    public async Task AwaitedDelay_HoldsNothing_HoweverLongItLasts()
    {
        await using var app = await StartAsync();
        await app.GetAsync("/delay");

        var response = await app.GetAsync("/delay");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeLessThan(20);
        var row = await app.EndpointAsync("GET /delay", 2);
        row.Ms("durationMs", "p50").ShouldBeGreaterThan(95);
        row.GetProperty("segmentsPerRequest").GetDouble().ShouldBeGreaterThanOrEqualTo(1.5);
    }

    [Fact]
    public async Task CpuWork_IsNotBlocked()
    {
        await using var app = await StartAsync();
        await app.GetAsync("/cpu");

        var response = await app.GetAsync("/cpu");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(50);
        response.Number("X-AsyncProbe-Cpu-Ms").ShouldBeGreaterThan(50);
        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThanOrEqualTo(5);
    }

    [Fact]
    public async Task Split_AddsUpToHeld_ForEveryEndpoint()
    {
        await using var app = await StartAsync();
        foreach (var path in new[] { "/sleep", "/task-wait", "/delay", "/cpu" })
        {
            await app.GetAsync(path);
            var row = await app.EndpointAsync("GET " + path);

            var parts = row.Ms("cpuMs") + row.Ms("waitingMs") + row.Ms("gcMs") + row.Ms("blockedMs");
            parts.ShouldBe(row.Ms("heldMs"), 0.01, path);
        }
    }

    [Fact]
    public async Task TaskRun_CountsBothThreads_WhenTheRequestWaitsForIt()
    {
        await using var app = await StartAsync();

        await app.GetAsync("/two-threads");

        // The second thread may leave the context a moment after the answer is out; its time is the request's all the same.
        var row = await app.EndpointAsync("GET /two-threads");
        while (row.Ms("blockedMs") < 190)
        {
            await Task.Delay(20);
            row = await app.EndpointAsync("GET /two-threads");
        }

        row.Ms("blockedMs").ShouldBeInRange(190, 5000, "both threads were blocked for 100 ms each; a full pool may take its time to start the second");
    }

    [Fact]
    public async Task DedicatedThread_IsNotCharged_ThoughItInheritsTheContext()
    {
        await using var app = await StartAsync();

        var response = await app.GetAsync("/own-thread");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeLessThan(60, "the sleep of 100 ms ran on a thread of its own");
    }

    [Fact]
    public async Task WorkAfterTheResponse_IsCountedApart()
    {
        var release = new TaskCompletionSource();
        var done = new TaskCompletionSource();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/fire", () =>
        {
            _ = Task.Run(async () =>
            {
                await release.Task;
                Thread.Sleep(50);
                await Task.Yield();
                done.SetResult();
            });
            return "fired";
        }));

        await app.GetAsync("/fire");
        await app.EndpointAsync("GET /fire");
        release.SetResult();
        await done.Task.WaitAsync(ProbedApp.Timeout);

        var row = await app.EndpointAsync("GET /fire");
        row.Ms("afterResponseMs").ShouldBeGreaterThan(45);
        row.Ms("blockedMs").ShouldBeLessThan(45);
    }

    [Fact]
    public async Task Feature_TellsTheRequestWhatItCostSoFar()
    {
        TimeSpan? blocked = null;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/ask", context =>
        {
            Thread.Sleep(60);
            blocked = context.Features.Get<IAsyncProbeFeature>()!.Blocked;
            return Task.CompletedTask;
        }));

        await app.GetAsync("/ask");

        blocked!.Value.TotalMilliseconds.ShouldBeGreaterThan(55);
    }

    private static Task<ProbedApp> StartAsync() => ProbedApp.StartAsync(app =>
    {
        app.MapGet("/sleep", () => Thread.Sleep(100));
        app.MapGet("/task-wait", () => Task.Delay(100).Wait());
        app.MapGet("/delay", () => Task.Delay(100));
        app.MapGet("/cpu", () => Cpu.Burn(100));
        app.MapGet("/two-threads", () =>
        {
            // A task that has not started yet would run inside Wait, on this thread.
            using var started = new ManualResetEventSlim();
            var work = Task.Run(() =>
            {
                started.Set();
                Thread.Sleep(100);
            });
            started.Wait();
            work.Wait();
        });
        app.MapGet("/own-thread", async () =>
        {
            var done = new TaskCompletionSource();
            new Thread(() =>
            {
                Thread.Sleep(100);
                done.SetResult();
            }).Start();
            await done.Task;
        });
    });
}
