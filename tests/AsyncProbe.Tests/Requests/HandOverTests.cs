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

    // Formerly, all of a request's time was counted twice if a segment handed it over just before the request was counted.
    [Fact]
    public async Task Time_IsNeverCountedTwice_WhenASegmentEndsTogetherWithItsRequest()
    {
        using var time = new CancellationTokenSource(TimeSpan.FromSeconds(2));
        var probe = new RequestProbe();
        var begunAt = Timestamp.Now();
        var endedAt = begunAt + (2000 * Ms);
        var (begun, segmentEnded) = (0, 0);

        var segments = Task.Run(() =>
        {
            for (var round = 1; IsTimeFor(ref begun, round); round++)
            {
                Thread.SpinWait(round % 20);
                probe.AddSegment(Blocked(1), endedAt);
                Volatile.Write(ref segmentEnded, round);
            }
        });
        var requests = Task.Run(() =>
        {
            var round = 0;
            do
            {
                probe = new RequestProbe();
                probe.Begin(begunAt);
                probe.Attribute(_totals);
                probe.AddSegment(Blocked(100), begunAt + (100 * Ms));
                Volatile.Write(ref begun, ++round);
                Thread.SpinWait(round / 20 % 20);
                var (whole, rest) = probe.End(endedAt);
                _totals.End(whole, rest, 1, endedAt - begunAt, RequestOutcome.None);
            }
            while (IsTimeFor(ref segmentEnded, round));

            return round;
        });
        await Task.WhenAll(segments, requests).WaitAsync(ProbedApp.Timeout);

        var (blocked, ended) = (_totals.Read().Sum.Blocked, await requests);
        blocked.ShouldBeGreaterThanOrEqualTo(ended * 100 * Ms);
        blocked.ShouldBeLessThanOrEqualTo(ended * 101 * Ms);

        // Waits without giving up the core at first, because the two must meet within nanoseconds. False when the time is over.
        bool IsTimeFor(ref int now, int round)
        {
            for (var looks = 0; Volatile.Read(ref now) != round; looks++)
            {
                if (time.IsCancellationRequested)
                {
                    return false;
                }

                if (looks > 2000)
                {
                    Thread.Yield();
                }
            }

            return true;
        }
    }

    private static HeldSplit Blocked(int milliseconds) =>
        new(milliseconds * Ms, Duration.Zero, Duration.Zero, Duration.Zero, milliseconds * Ms);
}
