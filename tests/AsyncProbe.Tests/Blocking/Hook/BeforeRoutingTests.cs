using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using static AsyncProbe.Tests.Blocking.Hook.ArmingWithoutServer;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>Requests that block before their endpoint is known: in authentication, or in a filter of the application.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class BeforeRoutingTests
{
    private readonly Arming _arming = Create(BlockingDetection.WhenBlocking);
    private readonly EndpointTotals _totals = new("GET /x", "/x", "GET");

    private static Duration Ms => Duration.Millisecond;

    [Theory]
    [InlineData(1, true)]
    [InlineData(0.999, false)]
    public void NextRequests_AreWatchedFromTheBegin_WhenOneBlockedBefore(double before, bool isArmed)
    {
        IsArmedFromTheBegin().ShouldBeFalse();

        ArmAfter(before).End(Timestamp.Now());

        IsArmedFromTheBegin().ShouldBe(isArmed);
    }

    [Fact]
    public void WebSocket_IsNotWatchedFromTheBegin()
    {
        ArmAfter(50).End(Timestamp.Now());
        var probe = new RequestProbe();

        _arming.Begin(probe, isWebSocket: true);

        probe.Armed.ShouldBeNull();
    }

    [Fact]
    public void Operation_IsNotWatchedFromTheBegin_UnlessEachOneIs()
    {
        ArmAfter(50).End(Timestamp.Now());
        var probe = new RequestProbe();
        _arming.BeginOperation(probe);
        probe.Armed.ShouldBeNull();

        Create(BlockingDetection.Always).BeginOperation(probe);

        probe.Armed.ShouldNotBeNull();
        probe.End(Timestamp.Now());
    }

    [Fact]
    public void Reset_ForgetsIt()
    {
        ArmAfter(50).End(Timestamp.Now());

        _arming.Reset();

        IsArmedFromTheBegin().ShouldBeFalse();
    }

    [Fact]
    public void Request_TeachesTheEndpoint_WhatItWatchedAlone()
    {
        var probe = ArmAfter(50);
        probe.Waits!.Add(15 * Ms, Site(WaitKind.TaskWait));

        _arming.OnEnded(probe, _totals, Blocked(80), Timestamp.Now());

        _totals.Waits!.Explained.ShouldBe(0.5);
        _totals.Waits.Watched.ShouldBe(30 * Ms);
        probe.End(Timestamp.Now());
    }

    [Fact]
    public void Request_KeepsWhatWasExplainedBefore_ForItself()
    {
        var probe = new RequestProbe();
        probe.WaitsOrNew().Add(50 * Ms, Site(WaitKind.TaskWait));
        ArmAfter(50, probe);
        probe.Waits!.Add(15 * Ms, Site(WaitKind.TaskWait));

        _arming.OnEnded(probe, _totals, Blocked(80), Timestamp.Now());

        _totals.Waits!.Explained.ShouldBe(0.5);
        probe.End(Timestamp.Now());
    }

    // Of the next request's 80 ms, 30 were watched and have a place.
    [Theory]
    [InlineData(0, 30.0 / 80)]
    [InlineData(25, 55.0 / 80)]
    [InlineData(50, 1)]
    public void Request_TeachesWhatOthersShowed_OfTheTimeBefore(double shownBefore, double explained)
    {
        ArmAfter(50).End(Timestamp.Now());
        BeginAndRoute(before: 50, shownBefore);
        var probe = ArmAfter(50);
        probe.Waits!.Add(30 * Ms, Site(WaitKind.TaskWait));

        _arming.OnEnded(probe, _totals, Blocked(80), Timestamp.Now());

        _totals.Waits!.Explained.ShouldNotBeNull().ShouldBe(explained, 0.001);
        probe.End(Timestamp.Now());
    }

    [Theory]
    [InlineData(50.999, false)]
    [InlineData(51, true)]
    public void Request_TeachesNothing_WhenItHardlyBlockedAfterwards(double blocked, bool isTaught)
    {
        var probe = ArmAfter(50);

        _arming.OnEnded(probe, _totals, Blocked(blocked), Timestamp.Now());

        (_totals.Waits!.Explained is not null).ShouldBe(isTaught);
        probe.End(Timestamp.Now());
    }

    [Fact]
    public void Requests_AreWatchedFromTheBegin_UntilTheirPlacesAreKnown()
    {
        ArmAfter(50).End(Timestamp.Now());

        for (var i = 0; i < 5; i++)
        {
            BeginAndRoute(before: 50);
        }

        IsArmedFromTheBegin().ShouldBeFalse();
    }

    // Requests that no route matches, such as a health check's, were never watched next to endpoints that are explained.
    [Fact]
    public void WaitsAfterRouting_TeachNothingAboutThoseBefore()
    {
        ArmAfter(50).End(Timestamp.Now());

        for (var i = 0; i < 5; i++)
        {
            var probe = BeginAndRoute(before: 0);
            probe.Waits!.Add(50 * Ms, Site(WaitKind.TaskWait));
            _arming.OnEnded(probe, _totals, Blocked(50), Timestamp.Now());
        }

        IsArmedFromTheBegin().ShouldBeTrue();
    }

    [Fact]
    public void Requests_AreNotWatchedFromTheBeginForever_WhenNoneBlocksBeforeRoutingAgain()
    {
        ArmAfter(50).End(Timestamp.Now());

        for (var i = 0; i < 50; i++)
        {
            BeginAndRoute(before: 0);
        }

        IsArmedFromTheBegin().ShouldBeFalse();
    }

    private static BlockingSite Site(WaitKind kind) => new(kind, null, null, [], null);

    // A request that was blocked this long before routing found its endpoint, which is known to block.
    private RequestProbe ArmAfter(double blockedMs, RequestProbe? probe = null)
    {
        _arming.OnHanging(_totals);
        probe ??= new RequestProbe();
        probe.Begin(Timestamp.Now());
        probe.AddSegment(Blocked(blockedMs), Timestamp.Now());
        _arming.Attribute(probe, _totals);
        probe.Armed.ShouldNotBeNull();
        return probe;
    }

    // A request that was watched from its beginning, and was blocked this long before routing, all of it or a part at a known place.
    private RequestProbe BeginAndRoute(double before, double? shown = null)
    {
        var probe = new RequestProbe();
        _arming.Begin(probe);
        probe.Begin(Timestamp.Now());
        if (before > 0)
        {
            probe.Waits!.Add((shown ?? before) * Ms, Site(WaitKind.TaskWait));
            probe.AddSegment(Blocked(before), Timestamp.Now());
        }

        _arming.Attribute(probe, _totals);
        probe.End(Timestamp.Now());
        return probe;
    }

    private bool IsArmedFromTheBegin()
    {
        var probe = new RequestProbe();
        _arming.Begin(probe);
        probe.End(Timestamp.Now());
        return probe.Armed is not null;
    }
}
