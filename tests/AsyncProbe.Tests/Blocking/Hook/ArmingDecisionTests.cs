using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;
using AsyncProbe.Tests.Blocking.Stacks;
using static AsyncProbe.Tests.Blocking.Hook.ArmingWithoutServer;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>Which requests get the hook, decided without a server.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class ArmingDecisionTests
{
    private static Duration Ms => Duration.Millisecond;

    private readonly EndpointTotals _unmatched = new("(unmatched)", null, "GET");
    private readonly EndpointTotals _totals = new("GET /x", "/x", "GET");

    [Theory]
    [InlineData(BlockingDetection.Always, true)]
    [InlineData(BlockingDetection.WhenBlocking, false)]
    [InlineData(BlockingDetection.Off, false)]
    public void EveryRequest_GetsTheHook_WhenAlways(BlockingDetection detection, bool isArmed)
    {
        var probe = new RequestProbe();

        Create(detection).Begin(probe);

        (probe.Armed is not null).ShouldBe(isArmed);
        (probe.Waits is not null).ShouldBe(isArmed);
        probe.End(Moment.At(1.Ns()));
    }

    [Fact]
    public void Nothing_IsArmed_WhenDetectionIsNotSet()
    {
        var arming = Create(new AsyncProbeOptions());
        var probe = new RequestProbe();

        arming.Begin(probe);
        arming.OnEnded(probe, _totals, Blocked(50), Moment.At(1.Ns()));
        arming.OnHanging(_totals);
        arming.Attribute(probe, _totals);

        probe.Armed.ShouldBeNull();
        _totals.Waits.ShouldBeNull();
        arming.ArmedEndpoints.ShouldBe(0);
    }

    [Fact]
    public void Endpoint_IsArmed_OnceARequestOfItBlocked()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        var first = new RequestProbe();
        arming.Attribute(first, _totals);
        first.Armed.ShouldBeNull();
        first.Totals.ShouldBe(_totals);

        arming.OnEnded(first, _totals, Blocked(50), Timestamp.Now());

        arming.ArmedEndpoints.ShouldBe(1);
        var second = new RequestProbe();
        arming.Attribute(second, _totals);
        second.Armed.ShouldNotBeNull();
        second.Waits.ShouldNotBeNull();
        second.End(Moment.At(1.Ns()));
    }

    [Fact]
    public void Endpoint_IsCountedOnce_HoweverOftenItBlocks()
    {
        var arming = Create(BlockingDetection.WhenBlocking);

        arming.OnEnded(new RequestProbe(), _totals, Blocked(50), Moment.At(1.Ns()));
        arming.OnEnded(new RequestProbe(), _totals, Blocked(50), Moment.At(2.Ns()));
        arming.OnHanging(_totals);
        arming.ArmedEndpoints.ShouldBe(1);

        arming.Reset();
        arming.ArmedEndpoints.ShouldBe(0);
    }

    [Theory]
    [InlineData(0.999, false)]
    [InlineData(1, true)]
    public void Endpoint_StaysUnarmed_WhileItsRequestsBlockForLessThanTheMinimum(double blockedMs, bool isArmed)
    {
        var arming = Create(BlockingDetection.WhenBlocking);

        arming.OnEnded(new RequestProbe(), _totals, Blocked(blockedMs), Moment.At(1.Ns()));

        (_totals.Waits is not null).ShouldBe(isArmed);
    }

    [Fact]
    public void HangingEndpoint_IsArmed_ThoughItsRequestNeverEnds()
    {
        var arming = Create(BlockingDetection.WhenBlocking);

        arming.OnHanging(_totals);

        arming.ArmedEndpoints.ShouldBe(1);
        _totals.Waits.ShouldNotBeNull();
    }

    // A single stall of the machine once made all later requests of an endpoint carry the hook.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Endpoint_IsArmedAgain_WhenItBlocksAfterManyRequestsThatDidNot(bool hangs)
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        arming.OnEnded(new RequestProbe(), _totals, Blocked(50), Timestamp.Now());
        for (var i = 0; i < 500; i++)
        {
            IsArmed(arming).ShouldBeTrue();
        }

        IsArmed(arming).ShouldBeFalse();
        if (hangs)
        {
            arming.OnHanging(_totals);
        }
        else
        {
            arming.OnEnded(new RequestProbe(), _totals, Blocked(50), Timestamp.Now());
        }

        IsArmed(arming).ShouldBeTrue();
    }

    [Fact]
    public void Endpoint_IsArmed_OnceWhatItsRequestsLeaveBehindBlocked()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        arming.Attribute(new RequestProbe(), _totals);
        arming.ArmedEndpoints.ShouldBe(0);

        _totals.NoteBlockedAfterResponse(Ms - 1.Ns());
        IsArmed(arming).ShouldBeFalse();
        _totals.NoteBlockedAfterResponse(Ms);
        IsArmed(arming).ShouldBeTrue();
        arming.OnHanging(_totals);
        arming.ArmedEndpoints.ShouldBe(1);
    }

    [Fact]
    public void Endpoint_IsNotArmedForEver_WhenItsRequestsLeaveNothingMoreBehindThatBlocks()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        _totals.NoteBlockedAfterResponse(Ms);
        var armed = 0;
        for (var i = 0; i < 200; i++)
        {
            var probe = new RequestProbe();
            arming.Attribute(probe, _totals);
            armed += probe.Armed is null ? 0 : 1;
            probe.End(Moment.At(1.Ns()));
        }

        armed.ShouldBeInRange(50, 60);
    }

    [Fact]
    public void Endpoint_IsCountedOnce_WhenItsRequestsBlockDuringAndAfter()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        arming.OnHanging(_totals);
        _totals.NoteBlockedAfterResponse(Ms);

        var probe = new RequestProbe();
        arming.Attribute(probe, _totals);

        _totals.LateWaits.ShouldNotBeNull();
        arming.ArmedEndpoints.ShouldBe(1);
        probe.End(Moment.At(1.Ns()));
    }

    [Fact]
    public void EndpointThatBlocks_IsLeftAlone_WhenDetectionIsOff()
    {
        Create(BlockingDetection.WhenBlocking).OnHanging(_totals);
        _totals.NoteBlockedAfterResponse(Ms);
        var probe = new RequestProbe();

        Create(BlockingDetection.Off).Attribute(probe, _totals);

        probe.Armed.ShouldBeNull();
    }

    [Fact]
    public void ColdRequest_TeachesAboutItsOwnWaits_BesideLocksOfTheFramework()
    {
        var arming = Create(BlockingDetection.Always);
        var probe = new RequestProbe();
        arming.Begin(probe);
        probe.Waits!.Add(30 * Ms, ForeignLock());
        probe.Waits.Add(10 * Ms, new BlockingSite(WaitKind.TaskWait, null, null, [], null));

        arming.OnEnded(probe, _totals, Blocked(50), Moment.At(1.Ns()));

        _totals.Waits!.Watched.ShouldBe(20 * Ms);
        _totals.Waits.Explained.ShouldBe(0.5);
        _totals.Waits.LockShare.ShouldBe(0);
        probe.End(Moment.At(1.Ns()));
    }

    [Theory]
    [InlineData(30.999, false)]
    [InlineData(31, true)]
    public void ColdRequest_TeachesNothing_WhenItHardlyBlockedOtherwise(double blocked, bool isTaught)
    {
        var arming = Create(BlockingDetection.Always);
        var probe = new RequestProbe();
        arming.Begin(probe);
        probe.Waits!.Add(30 * Ms, ForeignLock());

        arming.OnEnded(probe, _totals, Blocked(blocked), Moment.At(1.Ns()));

        (_totals.Waits!.Explained is not null).ShouldBe(isTaught);
        probe.End(Moment.At(1.Ns()));
    }

    [Fact]
    public void NothingIsLearned_WhenDetectionIsOff()
    {
        var arming = Create(BlockingDetection.Off);

        arming.OnEnded(new RequestProbe(), _totals, Blocked(50), Moment.At(1.Ns()));
        arming.OnHanging(_totals);

        _totals.Waits.ShouldBeNull();
        arming.ArmedEndpoints.ShouldBe(0);
    }

    [Fact]
    public void UnwatchedRequest_TeachesNothingAboutItsWaits()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        var named = new RequestProbe();
        named.WaitsOrNew();

        arming.OnEnded(new RequestProbe(), _totals, Blocked(50), Moment.At(1.Ns()));
        arming.OnEnded(named, _totals, Blocked(50), Moment.At(1.Ns()));

        _totals.Waits!.Explained.ShouldBeNull("EF Core named a wait, but nobody watched for the others");
    }

    [Fact]
    public void WatchedRequest_TeachesWhatItsSitesExplain()
    {
        var arming = Create(BlockingDetection.Always);
        var probe = new RequestProbe();
        arming.Begin(probe);
        probe.Waits!.Add(25 * Ms, new BlockingSite(WaitKind.Lock, null, null, [], null));

        arming.OnEnded(probe, _totals, Blocked(50), Moment.At(1.Ns()));

        _totals.Waits!.Explained.ShouldBe(0.5);
        _totals.Waits.LockShare.ShouldBe(0.5);
        probe.End(Moment.At(1.Ns()));
    }

    // Of 32 cold clients in native code, all that were watched had waited for the console logger, which was then reported as the cause.
    [Theory]
    [InlineData(5, 30, WaitsSeen.NotLooked)]
    [InlineData(50, 30, WaitsSeen.NothingFound)]
    [InlineData(30, 30, WaitsSeen.NotLooked)]
    public void ColdRequest_TeachesNothingAboutLocksOfTheFramework(int blocked, int locked, object seen)
    {
        var arming = Create(BlockingDetection.Always);
        var probe = new RequestProbe();
        arming.Begin(probe);
        probe.Waits!.Add(Math.Min(blocked, locked) * Ms, ForeignLock());

        arming.OnEnded(probe, _totals, Blocked(blocked), Moment.At(1.Ns()));

        _totals.WaitsSeen.ShouldBe((WaitsSeen)seen);
        _totals.Waits!.LockShare.ShouldBe(0);
        probe.End(Moment.At(1.Ns()));
    }

    [Fact]
    public void WarmRequest_TeachesAboutThemToo()
    {
        var now = Timestamp.Now();
        for (var i = 0; i < Verdicts.ColdRequests; i++)
        {
            _totals.Begin();
            _totals.End(Blocked(1), Blocked(1), 1, Ms, RequestOutcome.None, endedAt: now);
        }

        var arming = Create(BlockingDetection.Always);
        var probe = new RequestProbe();
        probe.Begin(now + Ms);
        arming.Begin(probe);
        probe.Waits!.Add(30 * Ms, ForeignLock());

        arming.OnEnded(probe, _totals, Blocked(50), now + (51 * Ms));

        _totals.Waits!.LockShare.ShouldBe(0.6);
        probe.End(now + (51 * Ms));
    }

    [Fact]
    public void KnownEndpoint_IsLeftAlone()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        arming.OnHanging(_totals);
        for (var i = 0; i < 5; i++)
        {
            _totals.Waits!.Add(100.Ns(), 100.Ns(), Duration.Zero, Timestamp.Now());
        }

        var probe = new RequestProbe();
        arming.Attribute(probe, _totals);

        probe.Armed.ShouldBeNull();
    }

    // The request's start decides, so that a request of a known endpoint reads no clock.
    [Theory]
    [InlineData(20, null, true)]
    [InlineData(20, 0, true)]
    [InlineData(20, 10, false)]
    [InlineData(10, null, false)]
    public void KnownEndpoint_IsSampledAgain_WhenItsLastSampleWasLongBeforeTheRequest(
        int sampledSecondsAgo, int? begunSecondsAgo, bool isArmed)
    {
        var now = Timestamp.Now();
        var arming = Create(BlockingDetection.WhenBlocking);
        arming.OnHanging(_totals);
        for (var i = 0; i < 5; i++)
        {
            _totals.Waits!.Add(100.Ns(), 100.Ns(), Duration.Zero, now - (sampledSecondsAgo * Duration.Second));
        }

        var probe = new RequestProbe();
        if (begunSecondsAgo is { } seconds)
        {
            probe.Begin(now - (seconds * Duration.Second));
        }

        arming.Attribute(probe, _totals);

        (probe.Armed is not null).ShouldBe(isArmed);
        probe.End(Timestamp.Now());
    }

    [Fact]
    public void EveryRequest_GetsTheHook_WhenAlways_HoweverManyOfOtherEndpointsDoNotBlock()
    {
        var arming = Create(BlockingDetection.Always);
        arming.OnEnded(new RequestProbe(), _unmatched, Blocked(50), Timestamp.Now());

        for (var i = 0; i < 60; i++)
        {
            Begin(arming).Armed.ShouldNotBeNull();
        }
    }

    [Fact]
    public void WaitsBeforeRouting_AreLearnedFromRequestsWithoutARoute()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        arming.OnEnded(new RequestProbe(), _unmatched, Blocked(50), Timestamp.Now());
        for (var i = 0; i < 5; i++)
        {
            EndAfterOneWait(arming);
        }

        Begin(arming).Armed.ShouldBeNull("what blocks before routing is known");
    }

    // The hook saw nothing of what came before. Requests that were watched from their beginning show that it has a place.
    [Theory]
    [InlineData(40.999, 0)]
    [InlineData(41, 41)]
    public void Request_TeachesNothing_WhenItBlockedOnlyBeforeItWasArmed(double blockedMs, double watchedMs)
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        arming.OnEnded(new RequestProbe(), _unmatched, Blocked(50), Timestamp.Now());
        EndAfterOneWait(arming);
        arming.OnHanging(_totals);
        var probe = new RequestProbe();
        probe.Begin(Timestamp.Now());
        probe.AddSegment(Blocked(40), Timestamp.Now());
        arming.Attribute(probe, _totals);
        probe.Armed.ShouldNotBeNull();

        arming.OnEnded(probe, _totals, Blocked(blockedMs), Timestamp.Now());

        _totals.Waits!.Watched.ShouldBe(watchedMs * Ms);
        probe.End(Timestamp.Now());
    }

    [Fact]
    public void Endpoint_IsNamedOnce_AndArmsOnlyThen()
    {
        var arming = Create(BlockingDetection.WhenBlocking);
        var errorPage = new EndpointTotals("GET /error", "/error", "GET");
        arming.OnHanging(errorPage);
        var probe = new RequestProbe();
        arming.Attribute(probe, _totals);

        arming.Attribute(probe, errorPage);

        probe.Totals.ShouldBe(_totals);
        probe.Armed.ShouldBeNull();
    }

    private static BlockingSite ForeignLock() => new(
        WaitKind.Lock,
        new SiteFrame(
            HandMadeStacks.Frames.Get(HandMadeStacks.Method(typeof(HttpClient), nameof(HttpClient.CancelPendingRequests))), 1),
        null, [], null);

    private void EndAfterOneWait(Arming arming)
    {
        var probe = Begin(arming);
        probe.Waits.ShouldNotBeNull().Add(50 * Ms, new BlockingSite(WaitKind.TaskWait, null, null, [], null));
        arming.OnEnded(probe, _unmatched, Blocked(50), Timestamp.Now());
    }

    private static RequestProbe Begin(Arming arming)
    {
        var probe = new RequestProbe();
        arming.Begin(probe);
        probe.End(Timestamp.Now());
        return probe;
    }

    private bool IsArmed(Arming arming)
    {
        var probe = new RequestProbe();
        arming.Attribute(probe, _totals);
        probe.End(Moment.At(1.Ns()));
        return probe.Armed is not null;
    }
}
