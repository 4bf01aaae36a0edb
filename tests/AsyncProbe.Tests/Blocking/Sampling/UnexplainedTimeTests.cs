using System.Diagnostics;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Rules;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;

namespace AsyncProbe.Tests.Blocking.Sampling;

public sealed class UnexplainedTimeTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(UnexplainedTimeTests).Assembly.GetName().Name!]));

    private static readonly WaitKind[] s_kinds = [WaitKind.Other, WaitKind.Sleep, WaitKind.SyncIO, WaitKind.Process];

    private readonly EndpointTable _endpoints = new(10, 10);
    private readonly BlockingSites _sites = new(100, new AllowRules([]));
    private readonly UnexplainedTime _unexplained;
    private bool _isMixed;
    private Timestamp _now = Timestamp.FromStopwatch(1);

    public UnexplainedTimeTests() => _unexplained = new UnexplainedTime(_endpoints, _sites);

    private EndpointTotals Totals => _isMixed
        ? _endpoints.Unmatched
        : _endpoints.GetOrAdd(new RouteEndpoint(_ => Task.CompletedTask, RoutePatternFactory.Parse("/orders"), 0, null, null), "GET");

    [Theory]
    [InlineData(0.0, 200, true)]
    [InlineData(0.4, 200, true)]
    [InlineData(0.95, 200, false)]
    [InlineData(0.95, 2000, true)]
    [InlineData(0.99, 8000, false)]
    public void Window_IsDue_OnlyWhereTheHookDoesNotExplainTheTime(double explained, int blockedMs, bool isDue)
    {
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 50, blockedMs: 100, explainedMs: (int)(explained * 100));

        Pass(seconds: 5, blockedMs).ShouldBe(isDue);
        _unexplained.Begin(_now).Contains(Totals).ShouldBe(isDue);
    }

    [Fact]
    public void Window_IsNotDue_WhereSitesHaveAllOfTheTime()
    {
        var site = Site(1);
        for (var i = 0; i < 5; i++)
        {
            site.Add(Ms(200), Totals.Endpoint);
            Pass(seconds: 1, blockedMs: 200).ShouldBeFalse();
        }
    }

    [Fact]
    public void Sites_GetAllTheTimeThatNobodyExplained_ByTheirHits()
    {
        var (sleep, file, hooked) = (Site(1), Site(2), Site(3));
        Pass(seconds: 4, blockedMs: 1000);
        hooked.Add(Ms(1000), Totals.Endpoint);
        Window(6, sleep, Ms(20));
        Window(6, file, Ms(10));

        Pass(seconds: 1, blockedMs: 0);

        (sleep.Total + file.Total + hooked.Total).TotalMilliseconds.ShouldBe(4000, 0.001);
        sleep.Total.RatioTo(file.Total).ShouldBe(2, tolerance: 0.01);
        hooked.Total.ShouldBe(Ms(1000));
        (sleep.Hits, sleep.Count, sleep.Max).ShouldBe((6, 6, Ms(20)));

        // No time is assigned twice.
        var before = sleep.Total;
        Pass(seconds: 3, blockedMs: 0);
        sleep.Total.ShouldBe(before);
    }

    // An endpoint whose lock was replaced by a sleep would otherwise seem to have slept all along.
    [Fact]
    public void Sites_GetNothingOfTheTimeBefore_InWhichTheHookExplainedWhatItWatched()
    {
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 50, blockedMs: 100, explainedMs: 95);
        Pass(seconds: 20, blockedMs: 1000).ShouldBeFalse();

        Watch(waits, requests: 60, blockedMs: 1000, explainedMs: 0);
        Pass(seconds: 4, blockedMs: 1000).ShouldBeTrue();
        var sleep = Site(1);
        Window(6, sleep, Ms(20));
        Pass(seconds: 1, blockedMs: 0);

        sleep.Total.TotalMilliseconds.ShouldBe(4000, 0.001);
    }

    // Sleeps of 15 ms once went unnamed, because a database accounted for more than nine tenths of the time.
    [Fact]
    public void Site_GetsItsPart_WhereQueriesAreMostOfTheTime()
    {
        var (query, sleep) = (Site(1), Site(2));
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 50, blockedMs: 100, explainedMs: 95);
        for (var second = 0; second < 20; second++)
        {
            query.Add(Ms(1900), Totals.Endpoint);
            Pass(seconds: 1, blockedMs: 2000);
            if (second == 9)
            {
                Window(6, sleep, Ms(5));
            }
        }

        sleep.Total.TotalMilliseconds.ShouldBe((6 * 5) + (10 * 100), 100);
        (query.Total + sleep.Total).ShouldBeLessThan(Ms(20 * 2000));
    }

    // Otherwise the lock would get what the hook timed in the first requests, and nothing of all the others.
    [Fact]
    public void Lock_GetsItsPartOfTheRequestsWithoutTheHook_ThoughWindowsSawNoneOfThose()
    {
        var (sleep, gate, file) = (Site(1), Site(2), Site(3));
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 50, blockedMs: 25, explainedMs: 10);
        gate.Add(Ms(500), Totals.Endpoint);
        Pass(seconds: 8, blockedMs: 1000);
        WindowOfAll(sleep, gate, file, isLockTimed: true);

        Pass(seconds: 40, blockedMs: 1000);

        var all = sleep.Total + gate.Total + file.Total;
        all.TotalMilliseconds.ShouldBe(48_000, 0.001);
        sleep.Total.RatioTo(all).ShouldBe(0.4, 0.01);
        gate.Total.RatioTo(all).ShouldBe(0.4, 0.01);
        file.Total.RatioTo(all).ShouldBe(0.2, 0.01);
    }

    // The time that the hook measured is part of the lock's share, not added to it.
    [Fact]
    public void Lock_GetsTheRestOfItsPart_WhereTheHookTimedItFirst()
    {
        var (sleep, gate, file) = (Site(1), Site(2), Site(3));
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 400, blockedMs: 25, explainedMs: 10);
        gate.Add(Ms(4000), Totals.Endpoint);
        Pass(seconds: 20, blockedMs: 1000);
        WindowOfAll(sleep, gate, file, isLockTimed: false);

        Pass(seconds: 1, blockedMs: 0);

        gate.Total.RatioTo(sleep.Total + gate.Total + file.Total).ShouldBe(0.4, 0.01);
        gate.Hits.ShouldBe(10);
    }

    [Fact]
    public void Lock_GetsNothingMore_WhereTheHookWatchedEveryRequest()
    {
        var (sleep, gate, file) = (Site(1), Site(2), Site(3));
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 400, blockedMs: 25, explainedMs: 5);
        gate.Add(Ms(2000), Totals.Endpoint);
        Pass(seconds: 10, blockedMs: 1000);
        WindowOfAll(sleep, gate, file, isLockTimed: true);

        Pass(seconds: 1, blockedMs: 0);

        gate.Total.ShouldBe(Ms(2000));
        gate.Hits.ShouldBe(0);
        (sleep.Total + file.Total).TotalMilliseconds.ShouldBe(8000, 0.001);
        sleep.Total.RatioTo(file.Total).ShouldBe(2, 0.01);
    }

    // Five hits of a window once gave a wait half of the endpoint's time, although the hook had timed a quarter in a hundred requests.
    [Theory]
    [InlineData(5, 0.25)]
    [InlineData(60, 0.5)]
    public void Lock_GetsThePartThatTheHookTimed_UnlessTheHitsContradictIt(int hits, double part)
    {
        var (sleep, gate) = (Site(1), Site(2));
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 100, blockedMs: 40, explainedMs: 10);
        gate.Add(Ms(1000), Totals.Endpoint);
        Pass(seconds: 20, blockedMs: 1000);
        Window(hits, sleep, Ms(1));
        Window(hits, gate, Ms(1));

        Pass(seconds: 1, blockedMs: 0);

        gate.Total.RatioTo(Ms(20_000)).ShouldBe(part, tolerance: 0.11);
    }

    // A wait at a line that is two places in the code got the rest of its part twice.
    [Fact]
    public void Line_GetsOnePart_ThoughTheHookTimedAnotherOfItsPlaces()
    {
        var (sleep, before, after) = (Site(1), Site(2, at: 2), Site(2, at: 3));
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 400, blockedMs: 25, explainedMs: 10);
        before.Add(Ms(4000), Totals.Endpoint);
        Pass(seconds: 20, blockedMs: 1000);
        Window(30, sleep, Ms(6));
        Window(20, after, Ms(6));

        Pass(seconds: 1, blockedMs: 0);

        (before.Total + after.Total).TotalMilliseconds.ShouldBe(8000, 100);
    }

    // Its part went to the sleep instead. But among requests that have nothing in common, it got time of others that never came there.
    [Theory]
    [InlineData(false, 1600)]
    [InlineData(true, 800)]
    public void Wait_GetsItsPartOfTheRequestsWithoutTheHook_ThoughWindowsMissedIt(bool isMixed, int expectedMs)
    {
        _isMixed = isMixed;
        var (sleep, rare) = (Site(1), Site(2));
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Watch(waits, requests: 400, blockedMs: 25, explainedMs: 2);
        rare.Add(Ms(800), Totals.Endpoint);
        Pass(seconds: 20, blockedMs: 1000);
        Window(6, sleep, Ms(20));

        Pass(seconds: 1, blockedMs: 0);

        rare.Total.TotalMilliseconds.ShouldBe(expectedMs, 10);
        (sleep.Total + rare.Total).TotalMilliseconds.ShouldBe(20_000, 1);
    }

    [Fact]
    public void FewHits_ShareOutNothing()
    {
        var sleep = Site(1);
        Pass(seconds: 4, blockedMs: 1000);
        Window(Evidence.HitsForAShare - 1, sleep, Ms(10));

        Pass(seconds: 1, blockedMs: 1000);

        sleep.Total.ShouldBe((Evidence.HitsForAShare - 1) * Ms(10));
    }

    // An endpoint that only allocates: most of its blocked time was collections, and one place got all of it.
    [Fact]
    public void Sites_GetNothingOfTheCollections()
    {
        var sleep = Site(1);
        Pass(seconds: 4, blockedMs: 1000, inGcMs: 600);
        Window(6, sleep, Ms(20));

        Pass(seconds: 1, blockedMs: 0);

        sleep.Total.TotalMilliseconds.ShouldBe(4 * 400, tolerance: 6 * 20);
    }

    // The provider's own sleep was already counted, but was also assigned to an unrelated Thread.Sleep.
    [Fact]
    public void Sites_GetNothingOfWhatAProviderWaited()
    {
        var sleep = Site(1);
        Totals.Begin();
        var whole = new HeldSplit(Ms(3000), Duration.Zero, Duration.Zero, Duration.Zero, Ms(3000));
        var waits = new RequestWaits(null);
        waits.AddProvider(Ms(2500), isRetry: true);
        Totals.End(whole, whole, 1, Ms(3000), RequestOutcome.None, waits);
        Pass(seconds: 1, blockedMs: 1000);
        Window(6, sleep, Ms(20));

        Pass(seconds: 1, blockedMs: 0);

        sleep.Total.TotalMilliseconds.ShouldBe(1500, 0.001);
    }

    // All of it once went to the only place that samples had hit, a single time, while forty others had no hit.
    [Fact]
    public void HitsWithoutAPlace_KeepTheirPart()
    {
        var sleep = Site(1);
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        Pass(seconds: 4, blockedMs: 1000);
        Window(5, sleep, Ms(10));
        _unexplained.End(_unexplained.Begin(_now), [.. Enumerable.Repeat(new WindowHit(Totals, null, Ms(10)), 15)], _now);

        Pass(seconds: 1, blockedMs: 0);

        sleep.Total.TotalMilliseconds.ShouldBe(1000, 1);
        waits.UnplacedHits.ShouldBe(15);
    }

    // Five windows without a place once ended the search with too few hits to say that the runtime waits.
    [Fact]
    public void HitsWithoutAPlace_KeepWindowsDue_UntilThereAreEnough()
    {
        var waits = new EndpointWaits();
        Totals.TrySetWaits(waits);
        var windows = 0;
        waits.Add(Ms(1000), Duration.Zero, Duration.Zero, _now);
        for (var second = 0; second < 60; second++)
        {
            if (Pass(seconds: 1, blockedMs: 1000))
            {
                windows++;
                _unexplained.End(_unexplained.Begin(_now), [new WindowHit(Totals, null, Ms(10)), new WindowHit(Totals, null, Ms(10))], _now);
            }
        }

        waits.UnplacedHits.ShouldBeInRange(Evidence.HitsForMost, Evidence.HitsForMost + (5 * 2));
        windows.ShouldBe(waits.UnplacedHits / 2);
    }

    [Fact]
    public void Reset_ForgetsWhatWasSeen()
    {
        var sleep = Site(1);
        Pass(seconds: 4, blockedMs: 1000);
        var due = _unexplained.Begin(_now);
        _endpoints.Reset();
        _sites.Reset();

        _unexplained.End(due, [new WindowHit(Totals, sleep, Ms(10))], _now);
        Pass(seconds: 1, blockedMs: 1000).ShouldBeFalse();

        sleep.Total.ShouldBe(Duration.Zero);
    }

    private void Watch(EndpointWaits waits, int requests, int blockedMs, int explainedMs)
    {
        for (var i = 0; i < requests; i++)
        {
            waits.Add(Ms(blockedMs), Ms(explainedMs), locks: Duration.Zero, _now);
        }
    }

    private static Duration Ms(int milliseconds) => Duration.FromMilliseconds(milliseconds);

    // A reader sees each of them as a place of its own.
    private BlockingSite Site(int place, int at = 1) =>
        _sites.GetOrAdd(new BlameFrame(s_kinds[place], s_frames.Get(new StackFrame())!, at, null), null, new StackTrace(), s_frames);

    private void Window(int hits, BlockingSite site, Duration length) =>
        _unexplained.End(_unexplained.Begin(_now), [.. Enumerable.Repeat(new WindowHit(Totals, site, length), hits)], _now);

    private void WindowOfAll(BlockingSite sleep, BlockingSite gate, BlockingSite file, bool isLockTimed) =>
        _unexplained.End(
            _unexplained.Begin(_now),
            [
                .. Enumerable.Repeat(new WindowHit(Totals, sleep, Ms(10)), 10),
                .. Enumerable.Repeat(new WindowHit(Totals, gate, Ms(10), isLockTimed), 10),
                .. Enumerable.Repeat(new WindowHit(Totals, file, Ms(5)), 10),
            ],
            _now);

    private bool Pass(int seconds, int blockedMs, int inGcMs = 0)
    {
        var isDue = false;
        for (var i = 0; i < seconds; i++)
        {
            _now += Duration.Second;
            if (blockedMs > 0)
            {
                Totals.Begin();
                var whole = new HeldSplit(Ms(blockedMs), Duration.Zero, Duration.Zero, Duration.Zero, Ms(blockedMs))
                {
                    BlockedInGc = Ms(inGcMs),
                };
                Totals.End(whole, whole, 1, Ms(blockedMs), RequestOutcome.None);
            }

            isDue = _unexplained.Update(_now);
        }

        return isDue;
    }
}
