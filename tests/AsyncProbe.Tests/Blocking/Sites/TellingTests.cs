using System.Diagnostics;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Tests.Blocking.Catalogue;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests.Blocking.Sites;

/// <summary>How a call site is reported to people: log, header, span, advice.</summary>
public sealed class TellingTests
{
    [Fact]
    public async Task Site_IsWarnedOfOnce_ThenCountedAtDebug()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/blocking", 2);
        await Eventually.TrueAsync(() => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 10)), "no warning");
        await app.GetManyAsync("/blocking", 2);
        await Eventually.TrueAsync(() => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 12)), "no count");

        // The pool may warn as well, and rightly: on a crowded machine two requests are enough to starve it.
        var (level, _, warning) = app.Log.All.Where(l => l.Id.Id == 10).ShouldHaveSingleItem();
        level.ShouldBe(LogLevel.Warning);
        warning.ShouldStartWith("GET /blocking ");
        warning.ShouldContain(" ms at Waiting.ForTask (Waiting.cs:");
        warning.ShouldEndWith("(Task.Wait): await it instead.");
    }

    [Fact]
    public async Task Warnings_EndAtTheirLimit()
    {
        await using var app = await StartAsync(b => b.Configuration["AsyncProbe:MaxWarningsPerHour"] = "0");

        await app.GetManyAsync("/blocking", 1);
        await Eventually.TrueAsync(() => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 11)), "no line");

        app.Log.All.ShouldNotContain(l => l.Id.Id == 10);
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
        await Eventually.TrueAsync(
            () =>
            {
                lock (spans)
                {
                    found = [.. spans.SelectMany(s => s.Events).Where(e => e.Name == "asyncprobe.blocked")];
                }

                return Task.FromResult(found.Length > 0);
            },
            "no event");

        var tags = found.OrderBy(e => (double)e.Tags.ToDictionary()["asyncprobe.duration"]!).Last().Tags.ToDictionary();
        tags["asyncprobe.kind"].ShouldBe("Task.Wait");
        tags["code.function.name"].ShouldBe("AsyncProbe.Tests.Blocking.Waiting.ForTask");
        ((double)tags["asyncprobe.duration"]!).ShouldBeInRange(0.01, ProbedApp.Timeout.TotalSeconds, "seconds");
    }

    [Fact]
    public void SpanEvents_AreFew_HoweverOftenARequestWaits()
    {
        using var span = new Activity("request") { IsAllDataRequested = true }.Start();
        var recorder = new WaitRecorder(new BlockingSites(10, new AllowRules([])), HandMadeStacks.Frames);
        var probe = new RequestProbe();
        var stack = new StackTrace();
        var blame = BlameFrame.Find(stack, HandMadeStacks.Frames, null)!;

        for (var i = 0; i < 10_000; i++)
        {
            recorder.Record(probe, blame, Duration.Millisecond, stack);
        }

        span.Events.Count().ShouldBe(128);
        var told = 0L;
        recorder.TakeCounts((_, count) => told += count);
        told.ShouldBe(10_000, "the counts are whole");
        recorder.TakeCounts((_, count) => told += count);
        told.ShouldBe(10_000, "and told once");
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
        Waiter? waiter = null;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/lock", () =>
        {
            Volatile.Write(ref waiter, Waiter.Here());
            lock (gate)
            {
            }
        }));

        for (var request = 0; request < 12; request++)
        {
            Volatile.Write(ref waiter, null);
            using var taken = new SemaphoreSlim(0);
            var holder = Task.Factory.StartNew(() => Hold(taken), TaskCreationOptions.LongRunning);
            await taken.WaitAsync();
            (await app.GetAsync("/lock")).Dispose();
            await holder;
        }

        var row = await app.EndpointAsync("GET /lock", 12);

        row.GetProperty("verdict").GetString().ShouldBe("lockContention");
        row.GetProperty("advice").GetString()!.ShouldContain("TellingTests.Verdict_IsLockContention_WhenMostOfItIsLocks");
        var recent = row.GetProperty("recent");
        recent.GetProperty("locksMs").GetDouble().ShouldBeGreaterThan(
            recent.GetProperty("blockedMs").GetDouble() / 2, "the verdict goes by it");

        // Holds it until a thread sleeps before the lock, and a moment longer.
        void Hold(SemaphoreSlim taken)
        {
            lock (gate)
            {
                taken.Release();
                SpinWait.SpinUntil(() => Volatile.Read(ref waiter) is not null, ProbedApp.Timeout);
                Volatile.Read(ref waiter)!.AwaitItsWait();
                Thread.Sleep(30);
            }
        }
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
