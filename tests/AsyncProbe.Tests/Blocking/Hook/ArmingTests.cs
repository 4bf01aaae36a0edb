using System.Text.Json;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Requests;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Blocking.Hook;

public sealed class ArmingTests
{
    [Fact]
    public async Task CleanEndpoint_NeverGetsTheHook_WhenOnlyBlockingOnesAreWatched()
    {
        // One of a thousand requests may really be blocked, by a memory page or a lock of the runtime whose holder lost its core.
        await using var app = await StartAsync("Production", minimumBlockedMs: 60_000);

        await Task.WhenAll(Enumerable.Range(0, 10).Select(async _ =>
        {
            for (var i = 0; i < 100; i++)
            {
                (await app.TextAsync("/clean")).ShouldBe("none none");
            }
        }));

        var report = await app.ReportAsync();
        report.GetProperty("sites").GetArrayLength().ShouldBe(0);
        report.GetProperty("probe").GetProperty("armedEndpoints").GetInt32().ShouldBe(0);
    }

    [Fact]
    public async Task CleanEndpoint_HasNoSites_ThoughEveryRequestIsWatched()
    {
        await using var app = await StartAsync("Development");

        // One at a time: concurrent requests meet at the server's locks, and on a crowded core such a wait can take a millisecond.
        for (var i = 0; i < 100; i++)
        {
            (await app.TextAsync("/clean")).ShouldBe("BlockingContext BlockingContext");
            await UntilPermitsAreBackAsync();
        }

        (await app.SitesAsync()).ShouldBeEmpty();
    }

    [Fact]
    public async Task BlockingEndpoint_IsNamed_FromTheRequestAfterTheFirst()
    {
        await using var app = await StartAsync("Production");

        await app.GetManyAsync("/blocking", 1);
        await app.EndpointAsync("GET /blocking");
        (await app.SitesAsync()).ShouldBeEmpty();
        await app.GetManyAsync("/blocking", 1);
        await app.EndpointAsync("GET /blocking", 2);

        (await app.SitesAsync()).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
        (await app.ReportAsync()).GetProperty("probe").GetProperty("armedEndpoints").GetInt32().ShouldBe(1);
    }

    [Fact]
    public async Task BlockingEndpoint_IsLeftAlone_OnceItsSitesExplainIt()
    {
        await using var app = await StartAsync("Production");

        await app.GetManyAsync("/blocking", 25);
        var row = await app.EndpointAsync("GET /blocking", 25);

        row.GetProperty("explained").GetDouble().ShouldBeInRange(0.9, 1);
        (await app.SitesAsync()).ShouldHaveSingleItem().Count("count").ShouldBeInRange(5, 20);
    }

    [Fact]
    public async Task SleepingEndpoint_StaysUnexplained_AndIsNotWatchedForEver()
    {
        await using var app = await StartAsync("Production");

        for (var i = 0; i < 60; i++)
        {
            await app.GetManyAsync("/sleeping", 1);
            await UntilPermitsAreBackAsync();
        }

        var row = await app.EndpointAsync("GET /sleeping", 60);

        row.GetProperty("explained").GetDouble().ShouldBeLessThan(0.2);
        row.GetProperty("advice").GetString()!.ShouldContain("location unknown");
        (await app.Client.GetStringAsync(new Uri("/sleeping", UriKind.Relative))).ShouldBe("none");
    }

    [Fact]
    public async Task Off_WatchesNothing_AndStillCounts()
    {
        await using var app = await StartAsync("Development", BlockingDetection.Off);

        await app.GetManyAsync("/blocking", 3);

        (await app.EndpointAsync("GET /blocking", 3)).StoodStillMs().ShouldBeGreaterThan(30);
        (await app.SitesAsync()).ShouldBeEmpty();
    }

    [Fact]
    public async Task Hang_IsNamed_WhileItLasts()
    {
        var never = new SemaphoreSlim(0);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/hang", async () =>
        {
            await Task.Delay(1);
            Waiting.AtAGate(never);
        }));

        var hanging = app.GetAsync("/hang");
        try
        {
            // Poll often: on a crowded machine a poll may be late, but every poll that sees a hang of two seconds must see its name.
            JsonElement now = default;
            await Eventually.TrueAsync(
                async () =>
                {
                    now = (await app.ReportAsync()).GetProperty("now").EnumerateArray()
                        .FirstOrDefault(n => n.GetProperty("endpoint").GetString() == "GET /hang");
                    if (now.ValueKind != JsonValueKind.Object)
                    {
                        return false;
                    }

                    var isNamed = now.GetProperty("at").ValueKind == JsonValueKind.String;
                    (isNamed || now.GetProperty("heldMs").GetDouble() < 2000).ShouldBeTrue($"not named in time: {now}");
                    return isNamed;
                },
                "nothing that hangs was named");

            now.GetProperty("at").GetString().ShouldStartWith("Waiting.AtAGate (Waiting.cs:");
            Console.WriteLine($"The hang was named when it had lasted {now.GetProperty("heldMs")} ms.");
        }
        finally
        {
            never.Release();
            (await hanging).Dispose();
        }
    }

    [Fact]
    public async Task NothingIsLeftOfAWait_ThatWasTooShortToReport()
    {
        // Once everything that had lasted a second stayed in a list until it was reported.
        await using var app = await StartAsync("Development", minimumBlockedMs: 60_000);

        await app.GetManyAsync("/waiting", 1);

        (await app.SitesAsync()).ShouldBeEmpty();
        ThreadSlots.All.ShouldAllBe(slot => slot.Wait == null);
    }

    [Fact]
    public async Task Blocking_BeforeTheEndpointIsKnown_IsNamed_WhenOnlyBlockingOnesAreWatched()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Use((context, next) =>
                {
                    if (context.Request.Path == "/late")
                    {
                        Waiting.ForTask();
                    }

                    return next(context);
                });
                a.UseRouting();
                a.MapGet("/late", () => "ok");
            },
            "Production");

        await app.GetManyAsync("/late", 8);
        await app.EndpointAsync("GET /late", 8);

        (await app.SitesAsync()).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    // A health check that no route matches was never watched next to an endpoint whose waits were explained.
    [Fact]
    public async Task RequestWithoutARoute_IsNamed_NextToAnEndpointThatIsExplained()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Use((context, next) =>
                {
                    if (context.Request.Path != "/healthy")
                    {
                        return next(context);
                    }

                    Waiting.ForTask();
                    return Task.CompletedTask;
                });
                a.UseRouting();
                a.MapGet("/waiting", () => Waiting.ForTask());
            },
            "Production");

        await app.GetManyAsync("/healthy", 1);
        await app.GetManyAsync("/waiting", 12);
        (await app.SitesAsync("(unmatched)")).ShouldBeEmpty();
        await app.GetManyAsync("/healthy", 1);

        await app.EndpointAsync("(unmatched)", 2);
        (await app.SitesAsync("(unmatched)")).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    [Fact]
    public async Task WorkAfterTheResponse_IsNamed_WhenOnlyBlockingOnesAreWatched()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/fire", (HttpContext context) =>
            {
                var answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                context.Response.OnCompleted(() =>
                {
                    answered.SetResult();
                    return Task.CompletedTask;
                });
                _ = Later(answered.Task);

                static async Task Later(Task answered)
                {
                    await answered;
                    await Task.Yield();
                    Waiting.ForTask(Waiting.LongEnoughMs);
                }
            }),
            "Production");
        await app.GetManyAsync("/fire", 1);
        await Eventually.TrueAsync(
            async () => (await app.EndpointAsync("GET /fire")).Ms("afterResponseMs") > Waiting.LongEnoughMs / 2,
            "the wait was not counted");
        (await app.SitesAsync()).ShouldBeEmpty();

        await app.GetManyAsync("/fire", 1);

        await Eventually.TrueAsync(
            async () => (await app.SitesAsync("GET /fire (after response)")).Any(s => s.GetProperty("at").GetString() == "Waiting.ForTask"),
            "the place was not named");
        (await app.ReportAsync()).GetProperty("probe").GetProperty("armedEndpoints").GetInt32().ShouldBe(1);
    }

    [Fact]
    public async Task SelfTest_Passes_AndIsNotAmongTheSites()
    {
        await using var app = await StartAsync("Development");

        (await app.ReportAsync()).GetProperty("probe").GetProperty("selfTest").GetString().ShouldBe("passed");
        (await app.SitesAsync()).ShouldBeEmpty();
    }

    // A request gives its permit back a moment after its answer. Without a free permit the next request doesn't carry the hook.
    private static Task UntilPermitsAreBackAsync() => Eventually.TrueAsync(() => ArmedPermits.Taken == 0, "a permit was not given back");

    private static Task<ProbedApp> StartAsync(string environment, BlockingDetection? detection = null, int minimumBlockedMs = 1) =>
        ProbedApp.StartAsync(
            app =>
            {
                app.MapGet("/clean", async () =>
                {
                    var before = Hook();
                    await Task.Delay(1);
                    await Task.Delay(1).ConfigureAwait(false);
                    return $"{before} {Hook()}";
                });
                app.MapGet("/blocking", () => Waiting.ForTask());
                app.MapGet("/waiting", () =>
                {
                    using var never = new ManualResetEvent(false);
                    never.WaitOne(1500);
                });

                // Long enough that a request doesn't mostly wait for a core on a crowded machine. Such requests have no verdict.
                app.MapGet("/sleeping", () =>
                {
                    Thread.Sleep(30);
                    return Hook();
                });
            },
            environment,
            builder =>
            {
                builder.Configuration["AsyncProbe:Detection"] = detection?.ToString();
                builder.Configuration["AsyncProbe:MinimumBlocked"] = TimeSpan.FromMilliseconds(minimumBlockedMs).ToString();
            });

    private static string Hook() => SynchronizationContext.Current?.GetType().Name ?? "none";
}
