using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.TestServer;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Requests;

/// <summary>How a request's held time is split, in the headers and in the report, on real Kestrel.</summary>
public sealed class SplitOfRequestTests
{
    private const int DelayMs = 1500;

    [Fact]
    public async Task Sleep_IsBlocked_ForAsLongAsItSleeps()
    {
        await using var app = await StartAsync();

        var response = await app.GetAsync("/sleep");

        response.StoodStillMs().ShouldBeInRange(95, 400, response.Headers.ToString());
        response.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThanOrEqualTo(response.Number("X-AsyncProbe-Blocked-Ms"));
        (await app.EndpointAsync("GET /sleep")).StoodStillMs().ShouldBeInRange(95, 400);
    }

    [Fact]
    public async Task SyncOverAsync_IsBlocked_ForAsLongAsItWaits()
    {
        await using var app = await StartAsync();

        for (var i = 0; i < 3; i++)
        {
            (await app.GetAsync("/task-wait")).StoodStillMs().ShouldBeInRange(280, 2000);
        }
    }

    [Fact]
    public async Task AwaitedDelay_HoldsNothing_HoweverLongItLasts()
    {
        await using var app = await StartAsync();
        var first = await app.MillisecondsAsync("/delay");

        var response = await app.GetAsync("/delay");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeLessThan(DelayMs / 3.0);
        var row = await app.EndpointAsync("GET /delay", 2);
        // Timers use a coarse clock and may fire early, so the endpoint returns how long it really took; a percentile is off by 1.6 %.
        row.Ms("durationMs", "max").ShouldBeGreaterThanOrEqualTo(first * 0.98);
        row.GetProperty("segmentsPerRequest").GetDouble().ShouldBeGreaterThanOrEqualTo(1.5);
    }

    [Fact]
    public async Task CpuWork_IsNotBlocked()
    {
        await using var app = await StartAsync();
        await app.GetAsync("/cpu");

        var response = await app.GetAsync("/cpu");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(250);
        response.Number("X-AsyncProbe-Cpu-Ms").ShouldBeGreaterThan(250);
        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThanOrEqualTo(50);
    }

    [Fact]
    public async Task Split_AddsUpToHeld_ForEveryEndpoint()
    {
        await using var app = await StartAsync();
        foreach (var path in new[] { "/sleep", "/task-wait", "/delay", "/cpu" })
        {
            await app.GetAsync(path);
            var row = await app.EndpointAsync("GET " + path);

            var parts = row.Ms("cpuMs") + row.Ms("cpuWaitMs") + row.Ms("gcMs") + row.Ms("blockedMs");
            parts.ShouldBe(row.Ms("heldMs"), 0.01, path);
        }
    }

    [Fact]
    public async Task TaskRun_CountsBothThreads_ThoughTheyAreHeldAtOnce()
    {
        await using var app = await StartAsync();

        // How long the two threads slept in wall-clock time.
        var truth = await app.MillisecondsAsync("/two-threads");

        // The second thread may leave the context a moment after the answer is sent, but its time still belongs to the request.
        JsonElement row = default;
        await Eventually.TrueAsync(
            async () =>
            {
                row = await app.EndpointAsync("GET /two-threads");
                return row.StoodStillMs() + row.Ms("afterResponseMs") >= 190;
            },
            "both threads slept for 100 ms");

        // What it holds after the response may be a wait for a core.
        row.StoodStillMs().ShouldBeLessThanOrEqualTo(truth + 90, "an app's first request also waits for locks of the runtime");
    }

    [Fact]
    public async Task DedicatedThread_IsNotCharged_ThoughItInheritsTheContext()
    {
        await using var app = await StartAsync();

        var response = await app.GetAsync("/own-thread");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeLessThan(1000, "the sleep of two seconds ran on a thread of its own");
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
                Thread.Sleep(200);
                await Task.Yield();
                done.SetResult();
            });
            return "fired";
        }));

        await app.GetAsync("/fire");
        await app.EndpointAsync("GET /fire");
        release.SetResult();
        await done.Task.WaitAsync(ProbedApp.Timeout);

        // The thread records its time when it leaves the context, a moment after the yield.
        await Eventually.TrueAsync(
            async () => (await app.EndpointAsync("GET /fire")).Ms("afterResponseMs") > 190, "the sleep was not counted");
        (await app.EndpointAsync("GET /fire")).Ms("blockedMs").ShouldBeLessThan(100);
    }

    [Fact]
    public async Task Feature_TellsTheRequestWhatItCostSoFar()
    {
        TimeSpan? blocked = null;
        TimeSpan paused = default;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/ask", context =>
        {
            var before = GC.GetTotalPauseDuration();
            Thread.Sleep(60);
            blocked = context.Features.Get<IAsyncProbeFeature>()!.Blocked;
            paused = GC.GetTotalPauseDuration() - before;
            return Task.CompletedTask;
        }));

        await app.GetAsync("/ask");

        // A collection also pauses sleeping threads, and its pause is reported separately.
        (blocked!.Value + paused).TotalMilliseconds.ShouldBeGreaterThan(55);
    }

    private static Task<ProbedApp> StartAsync() => ProbedApp.StartAsync(app =>
    {
        app.MapGet("/sleep", () => Thread.Sleep(100));
        app.MapGet("/task-wait", () => Waiting.TaskToWaitFor(Waiting.LongEnoughMs).Wait());
        app.MapGet("/delay", async () =>
        {
            var startedAt = Stopwatch.GetTimestamp();
            await Task.Delay(DelayMs);
            return Since(startedAt);
        });
        app.MapGet("/cpu", () => Cpu.Burn(500));
        app.MapGet("/two-threads", async () =>
        {
            var other = Task.Run(Slept);
            return Slept() + await other;
        });
        app.MapGet("/own-thread", async () =>
        {
            var done = new TaskCompletionSource();
            new Thread(() =>
            {
                Thread.Sleep(2000);
                done.SetResult();
            }).Start();
            await done.Task;
        });
    });

    private static double Slept()
    {
        var startedAt = Stopwatch.GetTimestamp();
        Thread.Sleep(100);
        return Since(startedAt);
    }

    private static double Since(long startedAt) => Stopwatch.GetElapsedTime(startedAt).TotalMilliseconds;
}
