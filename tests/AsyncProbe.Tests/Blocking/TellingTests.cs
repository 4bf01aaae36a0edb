using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests.Blocking;

/// <summary>What a person hears of a call site: log, header, span, advice.</summary>
public sealed class TellingTests
{
    [Fact]
    public async Task Site_IsWarnedOfOnce_ThenCountedAtDebug()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/blocking", 2);
        await Waiting.EventuallyAsync(() => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 10)), "no warning");
        await app.GetManyAsync("/blocking", 2);
        await Waiting.EventuallyAsync(() => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 12)), "no count");

        var warning = app.Log.All.Where(l => l.Level == LogLevel.Warning).ShouldHaveSingleItem().Text;
        warning.ShouldStartWith("GET /blocking blocked a pool thread for ");
        warning.ShouldContain(" ms at Waiting.ForTask (Waiting.cs:");
        warning.ShouldEndWith("(Task.Wait): await it instead. See docs/blocking.md#taskwait");
    }

    [Fact]
    public async Task Warnings_EndAtTheirLimit()
    {
        await using var app = await StartAsync(b => b.Configuration["AsyncProbe:MaxWarningsPerHour"] = "0");

        await app.GetManyAsync("/blocking", 1);
        await Waiting.EventuallyAsync(() => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 11)), "no line");

        app.Log.All.ShouldNotContain(l => l.Level >= LogLevel.Warning);
    }

    [Fact]
    public async Task Header_NamesTheLongestWait_InDevelopment()
    {
        await using var app = await StartAsync();

        using var blocking = await app.GetAsync("/blocking");
        using var clean = await app.GetAsync("/clean");

        blocking.Headers.GetValues("X-AsyncProbe-Blocked-At").Single().ShouldMatch(@"^Waiting\.ForTask \(Waiting\.cs:\d+\)$");
        clean.Headers.Contains("X-AsyncProbe-Blocked-At").ShouldBeFalse();
    }

    [Fact]
    public async Task Span_CarriesAnEvent_ForTheWait()
    {
        var spans = new List<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "Microsoft.AspNetCore",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = span =>
            {
                lock (spans)
                {
                    spans.Add(span);
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        await using var app = await StartAsync();

        await app.GetManyAsync("/blocking", 1);
        ActivityEvent[] found = [];
        await Waiting.EventuallyAsync(
            () =>
            {
                lock (spans)
                {
                    found = [.. spans.SelectMany(s => s.Events).Where(e => e.Name == "asyncprobe.blocked")];
                }

                return Task.FromResult(found.Length > 0);
            },
            "no event");

        var tags = found.ShouldHaveSingleItem().Tags.ToDictionary();
        tags["asyncprobe.kind"].ShouldBe("Task.Wait");
        tags["asyncprobe.at"].ShouldBe("Waiting.ForTask");
        ((double)tags["asyncprobe.duration_ms"]!).ShouldBeGreaterThan(10);
    }

    [Fact]
    public async Task Advice_NamesTheWorstSite()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/blocking", 12);
        var row = await app.EndpointAsync("GET /blocking", 12);

        row.GetProperty("verdict").GetString().ShouldBe("asyncWillHelp");
        row.GetProperty("advice").GetString()!.ShouldContain("most at Waiting.ForTask (Waiting.cs:");
    }

    [Fact]
    public async Task Verdict_IsLockContention_WhenMostOfItIsLocks()
    {
        var gate = new object();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/lock", () =>
        {
            lock (gate)
            {
                Thread.Sleep(10);
            }
        }));

        // Eight at the lock at once; what one of them sleeps inside is little beside what the others wait outside.
        for (var round = 0; round < 20; round++)
        {
            await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => app.GetAsync("/lock")));
        }

        var row = await app.EndpointAsync("GET /lock", 160);

        row.GetProperty("verdict").GetString().ShouldBe("lockContention");
        row.GetProperty("advice").GetString()!.ShouldContain("TellingTests.Verdict_IsLockContention_WhenMostOfItIsLocks");
    }

    private static Task<ProbedApp> StartAsync(Action<WebApplicationBuilder>? configure = null) =>
        ProbedApp.StartAsync(
            app =>
            {
                app.MapGet("/blocking", () => Waiting.ForTask());
                app.MapGet("/clean", () => Task.Delay(1));
            },
            configure: configure);
}
