using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;
using static AsyncProbe.Tests.Blocking.Hook.ArmingWithoutServer;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>How many requests of an endpoint and of the process are armed at once, decided without a server.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class ArmedPlacesTests
{
    private readonly EndpointTotals _totals = new("GET /x", "/x", "GET");

    [Theory]
    [InlineData(BlockingDetection.Always, true, 2)]
    [InlineData(BlockingDetection.Always, false, 1)]
    [InlineData(BlockingDetection.WhenBlocking, true, 2)]
    [InlineData(BlockingDetection.WhenBlocking, false, 1)]
    public void Endpoint_HasTwoArmedRequestsInFlight_AndOneWhileThePoolIsNotHealthy(
        BlockingDetection detection, bool isPoolHealthy, int expected)
    {
        var arming = Create(detection, isPoolHealthy);
        arming.OnHanging(_totals);

        var requests = Requests(arming, 5);

        requests.Count(IsArmed).ShouldBe(expected);
        EndAll(requests);
        ArmedPermits.Taken.ShouldBe(0);
        EndAll(Requests(arming, 1)).Count(IsArmed).ShouldBe(1, "the places are free again");
    }

    [Fact]
    public void Process_HasItsLimit_OverAllEndpointsAndHosts()
    {
        Arming[] hosts = [Create(BlockingDetection.WhenBlocking), Create(BlockingDetection.WhenBlocking)];
        List<RequestProbe> requests = [];
        for (var i = 0; i < 40; i++)
        {
            var endpoint = new EndpointTotals($"GET /{i}", $"/{i}", "GET");
            hosts[i % 2].OnHanging(endpoint);
            requests.AddRange(Requests(hosts[i % 2], 1, endpoint));
        }

        requests.Count(IsArmed).ShouldBe(ArmedPermits.Limit);
        EndAll(requests);
        ArmedPermits.Taken.ShouldBe(0);
    }

    // Requests whose endpoint isn't known yet come first, and would take all places.
    [Theory]
    [InlineData(8, 3)]
    [InlineData(4, 2)]
    public void LastOfManyPlaces_IsLeftToARequestWhoseEndpointBlocks(int minimum, int expected)
    {
        ThreadPool.GetMinThreads(out var workers, out var ports);
        ThreadPool.SetMinThreads(minimum, ports).ShouldBeTrue();
        try
        {
            var (always, whenBlocking) = (Create(BlockingDetection.Always), Create(BlockingDetection.WhenBlocking));
            whenBlocking.OnHanging(_totals);
            var unknown = Enumerable.Range(0, 10).Select(_ => new RequestProbe()).ToList();
            unknown.ForEach(probe => always.Begin(probe));
            var known = Requests(whenBlocking, 1);

            unknown.Count(IsArmed).ShouldBe(expected);
            known.Count(IsArmed).ShouldBe(ArmedPermits.Limit - expected);
            EndAll([.. unknown, .. known]);
            ArmedPermits.Taken.ShouldBe(0);
        }
        finally
        {
            ThreadPool.SetMinThreads(workers, ports);
        }
    }

    // Requests that found no place once used up the turns of later requests.
    [Fact]
    public void RequestWithoutAPlace_TakesNoTurn()
    {
        var (always, whenBlocking) = (Create(BlockingDetection.Always), Create(BlockingDetection.WhenBlocking));
        whenBlocking.OnEnded(new RequestProbe(), new EndpointTotals("(unmatched)", null, "GET"), Blocked(50), Timestamp.Now());
        var others = Begin(always, ArmedPermits.Limit + 1);

        Begin(whenBlocking, 60).ShouldNotContain(probe => IsArmed(probe));
        EndAll(others);
        var next = Begin(whenBlocking, 1);

        next.ShouldAllBe(probe => IsArmed(probe));
        EndAll(next);

        static List<RequestProbe> Begin(Arming arming, int count)
        {
            var probes = Enumerable.Range(0, count).Select(_ => new RequestProbe()).ToList();
            probes.ForEach(probe => arming.Begin(probe));
            return probes;
        }
    }

    [Fact]
    public void RequestWithoutAPlace_IsLeftAlone_AndTeachesNothing()
    {
        var arming = Create(BlockingDetection.Always);
        var requests = Requests(arming, ArmedPermits.Limit + 1);

        requests[^1].Armed.ShouldBeNull();
        arming.OnEnded(requests[^1], _totals, Blocked(50), Moment.At(1.Ns()));

        _totals.WaitsSeen.ShouldBe(WaitsSeen.NotLooked);
        EndAll(requests);
    }

    [Fact]
    public void RequestBeyondThePlacesOfItsEndpoint_IsLeftAlone()
    {
        var arming = Create(BlockingDetection.WhenBlocking, isPoolHealthy: false);
        arming.OnHanging(_totals);

        var requests = Requests(arming, 2);

        requests[^1].Armed.ShouldBeNull();
        requests[^1].Waits.ShouldBeNull();
        EndAll(requests);
    }

    [Fact]
    public void DisarmedRequest_TeachesNothing_ForItWasNotWatchedToTheEnd()
    {
        var arming = Create(BlockingDetection.Always);
        var probe = Requests(arming, 1)[0];
        probe.Armed!.Disarm();

        arming.OnEnded(probe, _totals, Blocked(50), Moment.At(1.Ns()));

        _totals.WaitsSeen.ShouldBe(WaitsSeen.NotLooked);
        EndAll([probe]);
    }

    private static bool IsArmed(RequestProbe probe) => probe.Armed is ArmedRequest { IsWatchedToTheEnd: true };

    private static List<RequestProbe> EndAll(List<RequestProbe> requests)
    {
        requests.ForEach(probe => probe.End(Timestamp.Now()));
        return requests;
    }

    private List<RequestProbe> Requests(Arming arming, int count, EndpointTotals? endpoint = null)
    {
        var requests = Enumerable.Range(0, count).Select(_ => new RequestProbe()).ToList();
        foreach (var probe in requests)
        {
            arming.Begin(probe);
            arming.Attribute(probe, endpoint ?? _totals);
        }

        return requests;
    }
}
