using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Pool.Diagnosis;

/// <summary>What the monitor concludes from the watcher's ticks, using the times in them.</summary>
public sealed class PoolMonitorTests
{
    private const int TickMs = 100;
    private const int Threads = 4;
    private const string Site = "Orders.Load (Orders.cs:42)";

    private static readonly DateTime s_began = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    [Fact]
    public async Task Starvation_IsToldAtOnce_AndItsPlaceWithinTwoSeconds()
    {
        var log = new LogLines();
        var waits = new NotedAfterASecond();
        await using var services = Services(log, waits);
        var monitor = services.GetRequiredService<PoolMonitor>();
        int? toldMs = null, namedMs = null;

        for (var ms = 0; ms <= 3000 && namedMs is null; ms += TickMs)
        {
            monitor.OnTick(Queued(ms), Blocked(ms));
            var text = string.Join('\n', log.All.Select(l => l.Text));
            toldMs ??= text.Contains("The thread pool is starved, cause blocked", StringComparison.Ordinal) ? ms : null;
            namedMs ??= text.Contains($"are blocked in GET /orders at {Site}", StringComparison.Ordinal) ? ms : null;
        }

        toldMs.ShouldNotBeNull().ShouldBeLessThanOrEqualTo(600, "half a second of queue delay, and a tick");
        namedMs.ShouldNotBeNull().ShouldBeLessThan(2000);
    }

    [Fact]
    public async Task Place_IsFound_AlthoughTheClockIsSetBackMeanwhile()
    {
        var log = new LogLines();
        await using var services = Services(log, new NotedAfterASecond());
        var monitor = services.GetRequiredService<PoolMonitor>();

        for (var ms = 0; ms <= 2000; ms += TickMs)
        {
            var sample = Queued(ms);
            monitor.OnTick(ms < 700 ? sample : sample with { At = sample.At.AddHours(-1) }, Blocked(ms));
        }

        monitor.Verdict.Diagnosis!.Site.ShouldBe(Site);
        log.All.Last().Text.ShouldContain($"at {Site}");
    }

    // A slow start once logged "The thread pool queues, cause unknown" in an app from a template.
    [Fact]
    public async Task Queueing_IsToldOnceTheHostHasStarted_AndStarvationBeforeThat()
    {
        var lifetime = new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance);
        await using var services = Services(new LogLines(), new NotedAfterASecond(), lifetime);
        var monitor = services.GetRequiredService<PoolMonitor>();

        Tick(from: 0, delayMs: 60).ShouldBe(PoolCondition.Healthy);
        Tick(from: 1000, delayMs: 600).ShouldBe(PoolCondition.Starved);
        Tick(from: 2000, delayMs: 0);
        Tick(from: 4000, delayMs: 60).ShouldBe(PoolCondition.Healthy);
        lifetime.NotifyStarted();
        Tick(from: 5000, delayMs: 60).ShouldBe(PoolCondition.Queueing);

        PoolCondition Tick(int from, int delayMs)
        {
            for (var ms = from; ms < from + (15 * TickMs); ms += TickMs)
            {
                monitor.OnTick(Queued(ms) with { QueueDelay = delayMs * Duration.Millisecond }, LiveSegments.None);
            }

            return monitor.Verdict.Condition;
        }
    }

    // It once said 270, 460 and 500 for 250 clients, and 10 when nothing was waiting any more.
    [Fact]
    public async Task Minimum_IsRecommendedOnceAnEpisode_AndStaysTheSame()
    {
        var log = new LogLines();
        await using var services = Services(log, new NotedAfterASecond());
        var monitor = services.GetRequiredService<PoolMonitor>();
        var advice = new List<string>();

        for (var ms = 0; ms <= 25_000; ms += TickMs)
        {
            var threads = Threads + (ms / 8000);
            monitor.OnTick(Queued(ms) with { Threads = threads, Busy = threads, Pending = 96 + (ms / 100) }, Blocked(ms));
            if (monitor.Verdict.Condition == PoolCondition.Starved)
            {
                advice.Add(PoolSentences.Advise(monitor.Verdict));
            }
        }

        advice.Select(a => a[a.IndexOf("Until then a minimum of", StringComparison.Ordinal)..]).Distinct().ShouldHaveSingleItem();
        log.All.Count(l => l.Text.Contains("The thread pool is starved", StringComparison.Ordinal)).ShouldBeGreaterThan(2);
        log.All.Count(l => l.Text.Contains("Until then a minimum of", StringComparison.Ordinal)).ShouldBe(1);
    }

    // "8 of 8 busy" once appeared next to "1 of 2 busy".
    [Fact]
    public async Task Figures_AreOfOneMoment_InEachSentence()
    {
        await using var services = Services(new LogLines(), new NotedAfterASecond());
        var monitor = services.GetRequiredService<PoolMonitor>();
        for (var ms = 0; ms <= 2000; ms += TickMs)
        {
            monitor.OnTick(Queued(ms), Blocked(ms));
        }

        monitor.OnTick(Queued(2100) with { Busy = Threads + 1, Threads = Threads + 1 }, Blocked(2100));
        var verdict = monitor.Verdict;
        var sample = PoolSentences.SampleOf(verdict, monitor.Latest);
        PoolSentences.Explain(verdict).ShouldContain($"{Threads} of {sample.Busy} busy threads");

        // The same, but no thread is held and no cause is left: the old cause is marked as old, and soon disappears.
        for (var ms = 2200; ms <= 3000; ms += TickMs)
        {
            monitor.OnTick(Queued(ms) with { Busy = 1 }, LiveSegments.None);
        }

        PoolSentences.Explain(monitor.Verdict).ShouldStartWith("A moment ago: ");
        PoolSentences.SampleOf(monitor.Verdict, monitor.Latest).Busy.ShouldBe(1);
        for (var ms = 3100; ms <= 7000; ms += TickMs)
        {
            monitor.OnTick(Queued(ms) with { Busy = 1 }, LiveSegments.None);
        }

        monitor.Verdict.Cause.ShouldBe(PoolCause.Unknown);
    }

    private static ServiceProvider Services(LogLines log, IWaitFinder waits, IHostApplicationLifetime? lifetime = null)
    {
        var services = new ServiceCollection().AddLogging(l => l.AddProvider(log))
            .AddSingleton<IConfiguration>(new ConfigurationManager()).AddAsyncProbe().Services.AddSingleton(waits);
        return (lifetime is null ? services : services.AddSingleton(lifetime)).BuildServiceProvider();
    }

    // All threads have been held from the beginning, and the oldest work item has waited since then.
    private static PoolSample Queued(int ms) =>
        new(
            s_began.AddMilliseconds(ms), Threads, Pending: 96, Completed: 0, Busy: Threads, ms * Duration.Millisecond,
            ms * Duration.Millisecond)
        {
            TakenAt = Moment.At(ms * Duration.Millisecond),
            MinimumThreads = 2,
            MaximumThreads = 32767,
        };

    private static LiveSegments Blocked(int ms)
    {
        var probe = new RequestProbe();
        probe.Attribute(new EndpointTotals("GET /orders", "/orders", "GET"));
        return new LiveSegments(
            [.. Enumerable.Range(1, Threads).Select(
                i => new LiveSegment(probe, i, ms * Duration.Millisecond, Duration.Zero, IsBlocked: true))]);
    }

    /// <summary>Reports a wait once it has lasted a second, as the hook does.</summary>
    private sealed class NotedAfterASecond : IWaitFinder
    {
        public SegmentWait Find(LiveSegment segment) => new(segment.Held >= Duration.Second ? Site : null, null);

        public string? WorstOf(string endpoint, bool isSampled) => null;
    }
}
