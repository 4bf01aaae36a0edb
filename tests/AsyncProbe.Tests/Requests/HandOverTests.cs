using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Requests;

/// <summary>A request that runs for more than a second adds its time to the totals while it runs.</summary>
public sealed class HandOverTests
{
    private static Duration Ms => Duration.Millisecond;

    private readonly EndpointTotals _totals = new("GET /x", "/x", "GET");

    // If the segment handed over just before the request was counted, all of its time was once counted twice.
    [Fact]
    public async Task Time_IsNeverCountedTwice_WhenASegmentEndsTogetherWithItsRequest()
    {
        const int Requests = 20_000;
        var probe = new RequestProbe();
        var begunAt = Timestamp.Now();
        var endedAt = begunAt + (2000 * Ms);
        var (begun, handedOver) = (0, 0);

        var segments = Task.Run(() =>
        {
            for (var i = 1; i <= Requests; i++)
            {
                // Keep the core: the two must meet within nanoseconds.
                SpinWait.SpinUntil(() => Volatile.Read(ref begun) == i);
                Thread.SpinWait(i % 20);
                probe.AddSegment(Blocked(1), endedAt);
                Volatile.Write(ref handedOver, i);
            }
        });
        var ends = Task.Run(() =>
        {
            for (var i = 1; i <= Requests; i++)
            {
                probe = new RequestProbe();
                probe.Begin(begunAt);
                probe.Attribute(_totals);
                probe.AddSegment(Blocked(100), begunAt + (100 * Ms));
                Volatile.Write(ref begun, i);
                Thread.SpinWait(i / 20 % 20);
                var (whole, rest) = probe.End(endedAt);
                _totals.End(whole, rest, 1, endedAt - begunAt, RequestOutcome.None);
                SpinWait.SpinUntil(() => Volatile.Read(ref handedOver) == i);
            }
        });
        await Task.WhenAll(segments, ends).WaitAsync(ProbedApp.Timeout);

        var blocked = _totals.Read().Sum.Blocked;
        blocked.ShouldBeGreaterThanOrEqualTo(Requests * 100 * Ms);
        blocked.ShouldBeLessThanOrEqualTo(Requests * 101 * Ms);
    }

    private static HeldSplit Blocked(int milliseconds) =>
        new(milliseconds * Ms, Duration.Zero, Duration.Zero, Duration.Zero, milliseconds * Ms);
}
