using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Pool.Diagnosis;

public sealed class PoolAnalyzerTests
{
    private const string Site = "Shop.Orders (Orders.cs:17)";

    [Fact]
    public void Cause_IsBlocked_WhenMostBusyThreadsDoNothing()
    {
        var diagnosis = Examine(Pool(busy: 10), [.. Segments(8, isBlocked: true), .. Segments(2, isBlocked: false, "GET /work")]);

        diagnosis.Cause.ShouldBe(PoolCause.Blocked);
        diagnosis.Endpoint.ShouldBe("GET /orders");
        diagnosis.EndpointThreads.ShouldBe(8);
        diagnosis.Site.ShouldBe(Site);
    }

    [Fact]
    public void Cause_IsCpu_WhenMostBusyThreadsRun()
    {
        var diagnosis = Examine(Pool(busy: 10), [.. Segments(2, isBlocked: true), .. Segments(8, isBlocked: false, "GET /work")]);

        diagnosis.Cause.ShouldBe(PoolCause.Cpu);
        diagnosis.Endpoint.ShouldBe("GET /work");
    }

    [Fact]
    public void Cause_IsCpu_WhenTheProcessUsesAllCores_AndNoSegmentIsLong() =>
        Examine(Pool(busy: 10) with { Load = Load(cpu: 1, gc: 0) }, []).Cause.ShouldBe(PoolCause.Cpu);

    [Fact]
    public void Cause_IsGc_WhenTheCollectorStopsMostOfTheTime() =>
        Examine(Pool(busy: 10) with { Load = Load(cpu: 1, gc: 0.6) }, Segments(10, isBlocked: true)).Cause.ShouldBe(PoolCause.Gc);

    [Fact]
    public void Cause_IsUnknown_WhenThreadsAreHeldOutsideOfRequests() =>
        Examine(Pool(busy: 10), Segments(2, isBlocked: true)).Cause.ShouldBe(PoolCause.Unknown);

    [Theory]
    [InlineData(1, PoolCause.Blocked)]
    [InlineData(8, PoolCause.Unknown)]
    [InlineData(null, PoolCause.Unknown)]
    public void UnclaimedThreads_AreTheCause_WhenTheyAreMostOfTheBusyOnes(int? running, object cause)
    {
        var diagnosis = PoolAnalyzer.Analyze(
            Pool(busy: 10) with { Unclaimed = 9 }, new LiveSegments(Segments(1, isBlocked: true)),
            new Told(default) { Running = running, WorstUnclaimed = Site });

        diagnosis.Cause.ShouldBe((PoolCause)cause);
        diagnosis.IsUnclaimed.ShouldBeTrue();
        diagnosis.Endpoint.ShouldBeNull();
        diagnosis.Site.ShouldBe(Site);
        diagnosis.UnclaimedIdle.ShouldBe(running is null ? 0 : 9 - running.Value);
    }

    [Fact]
    public void UnclaimedThreads_AreNotTheCause_WhenRequestsHoldMostOfTheBusyOnes()
    {
        var diagnosis = PoolAnalyzer.Analyze(
            Pool(busy: 10) with { Unclaimed = 4 }, new LiveSegments(Segments(6, isBlocked: true)), new Told(default) { Running = 0 });

        diagnosis.IsUnclaimed.ShouldBeFalse();
        diagnosis.Endpoint.ShouldBe("GET /orders");
    }

    [Theory]
    [InlineData(true, 2.0, PoolCause.Deadlock)]
    [InlineData(true, 1.0, PoolCause.Blocked)]
    [InlineData(null, 3.0, PoolCause.Blocked)]
    [InlineData(null, 5.0, PoolCause.Deadlock)]
    [InlineData(false, 60.0, PoolCause.Blocked)]
    public void Cause_IsDeadlock_WhenAPoolThatCannotGrowFinishesNothing(bool? needsPool, double stuckSeconds, object expected)
    {
        var pool = Pool(busy: 16) with { MaximumThreads = 16, StuckFor = stuckSeconds * Duration.Second };

        Examine(pool, Segments(16, isBlocked: true), needsPool).Cause.ShouldBe(expected);
    }

    [Fact]
    public void Cause_IsNotDeadlock_WhenThePoolCanGrow() =>
        Examine(Pool(busy: 16) with { StuckFor = 60 * Duration.Second }, Segments(16, isBlocked: true)).Cause.ShouldBe(PoolCause.Blocked);

    [Theory]
    [InlineData(0.0, true)]
    [InlineData(0.9, false)]
    public void Site_IsUnseen_WhenWatchedRequestsBlockedWhereTheHookSeesNothing(double explained, bool expected)
    {
        var segments = Segments(8, isBlocked: true);
        var waits = new EndpointWaits();
        waits.Add(Duration.Second, explained * Duration.Second, Duration.Zero, Timestamp.Now());
        segments[0].Probe.Totals!.TrySetWaits(waits).ShouldBeTrue();

        var diagnosis = PoolAnalyzer.Analyze(
            Pool(busy: 8), new LiveSegments(segments), new Told(default, Worst: "Orders.Lock (Orders.cs:12)"));

        diagnosis.IsSiteUnseen.ShouldBe(expected);
        diagnosis.Seen.ShouldBe(expected ? WaitsSeen.NothingFound : WaitsSeen.Found);
        diagnosis.Site.ShouldBe(expected ? null : "Orders.Lock (Orders.cs:12)", "what explains next to nothing is not the cause");
    }

    [Fact]
    public void Site_IsNotCalledUnseen_BeforeARequestHasBlocked() =>
        PoolAnalyzer.Analyze(Pool(busy: 8), new LiveSegments(Segments(8, isBlocked: true)), new Told(default)).IsSiteUnseen.ShouldBeFalse();

    [Fact]
    public void Site_IsNotLookedFor_WhereNoRequestCarriedTheHook()
    {
        var diagnosis = PoolAnalyzer.Analyze(
            Pool(busy: 8), new LiveSegments(Segments(8, isBlocked: true)), new Told(new SegmentWait(null, null)));

        diagnosis.Seen.ShouldBe(WaitsSeen.NotLooked);
        PoolSentences.Explain(new PoolVerdict(PoolCondition.Starved, DateTime.UtcNow, diagnosis)).ShouldContain(WaitsSeenTexts.NotLooked);
    }

    [Fact]
    public void Site_IsUnseen_WhereAThreadCarriesTheHook_ThoughNoRequestHasEnded()
    {
        var unmanaged = new SegmentWait(null, NeedsPool: false) { Seen = WaitsSeen.NothingFound };

        PoolAnalyzer.Analyze(
            Pool(busy: 8), new LiveSegments(Segments(8, isBlocked: true)), new Told(unmanaged)).IsSiteUnseen.ShouldBeTrue();
    }

    // On a crowded core a thread that works may not get a core between two looks.
    [Fact]
    public void Cause_IsCpu_WhenTheThreadsThatRanNothingQueueForACore()
    {
        var live = new LiveSegments(Segments(8, isBlocked: true, "GET /work"));

        var diagnosis = PoolAnalyzer.Analyze(Pool(busy: 8), live, new Told(default) { WantsCore = true });

        diagnosis.Cause.ShouldBe(PoolCause.Cpu);
        diagnosis.Blocked.ShouldBe(0);
        diagnosis.Endpoint.ShouldBe("GET /work");
    }

    [Fact]
    public void Blocked_IsNeverMoreThanBusy_WhenTheLookIsOlderThanTheSample()
    {
        var diagnosis = Examine(Pool(busy: 2), Segments(112, isBlocked: true));

        (diagnosis.Blocked, diagnosis.InRequests, diagnosis.EndpointThreads).ShouldBe((2, 2, 2));
    }

    [Fact]
    public void Minimum_FitsWhatWaits_RoundedUp_AndStaysWithinTheMaximum()
    {
        var diagnosis = Examine(Pool(busy: 8, pending: 95), Segments(8, isBlocked: true));

        diagnosis.HelpfulMinimum.ShouldBe(110);
        (diagnosis with { Sample = diagnosis.Sample with { MaximumThreads = 40 } }).HelpfulMinimum.ShouldBe(40);
    }

    [Fact]
    public void Minimum_IsNotSaid_WhenNothingWaits_OrThreadsAreFree_OrTheCauseIsNoBlocking()
    {
        var diagnosis = Examine(Pool(busy: 8, pending: 95), Segments(8, isBlocked: true));

        (diagnosis with { Sample = diagnosis.Sample with { Pending = 0 } }).HelpfulMinimum.ShouldBeNull();
        (diagnosis with { Sample = diagnosis.Sample with { Threads = 12 } }).HelpfulMinimum.ShouldBeNull();
        (diagnosis with { Cause = PoolCause.Unknown }).HelpfulMinimum.ShouldBeNull();
    }

    private static PoolDiagnosis Examine(PoolSample pool, IReadOnlyList<LiveSegment> live, bool? needsPool = true) =>
        PoolAnalyzer.Analyze(pool, new LiveSegments(live), new Told(new SegmentWait(Site, needsPool)));

    private static PoolSample Pool(int busy, long pending = 50) =>
        new(DateTime.UtcNow, busy, pending, 1000, busy, Duration.Second, Duration.Second) { MinimumThreads = 2, MaximumThreads = 32767 };

    private static ProcessLoad Load(double cpu, double gc) =>
        new(Duration.Second, cpu * Cores.InForce * Duration.Second, gc * Duration.Second);

    private static List<LiveSegment> Segments(int count, bool isBlocked, string endpoint = "GET /orders")
    {
        var probe = new RequestProbe();
        probe.Attribute(new EndpointTotals(endpoint, "/orders", "GET"));
        return [.. Enumerable.Range(1, count).Select(i => new LiveSegment(probe, i, Duration.Second, Duration.Zero, isBlocked))];
    }

    private sealed record Told(SegmentWait Wait, string? Worst = null) : IWaitFinder
    {
        public bool WantsCore { get; init; }

        public int? Running { get; init; }

        public string? WorstUnclaimed { get; init; }

        public int? CountRunningUnclaimed() => Running;

        public SegmentWait Find(LiveSegment segment) => Wait;

        public bool WantsToRun(LiveSegment segment) => WantsCore;

        public string? WorstOf(string endpoint, bool isSampled) => isSampled ? null : Worst;
    }
}
