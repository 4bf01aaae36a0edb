using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Requests;

/// <summary>Segments of a request that has already been counted.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class LateSegmentTests
{
    private static Duration Ms => Duration.Millisecond;

    [Fact]
    public void Maximum_IsNoLessThanTheMean_WhenASegmentGoesOnBeyondTheRequestsEnd()
    {
        var (probe, totals) = Ended();

        // Ten of its twelve milliseconds were before the end.
        probe.AddSegment(new HeldSplit(12 * Ms, 6 * Ms, default, default, 6 * Ms), now: Moment.At(13 * Ms));

        var figures = totals.Read();
        figures.Sum.Held.ShouldBe(10 * Ms);
        figures.Longest.Of(Longest.Held).ShouldBe(10 * Ms);
        figures.Longest.Of(Longest.Cpu).ShouldBe(5 * Ms);
        figures.Longest.Of(Longest.Blocked).ShouldBe(5 * Ms);
        figures.Sum.Time(Figure.AfterResponse).ShouldBe(2 * Ms);
    }

    [Fact]
    public void Segment_CountsOnce_WhenItsThreadReadTheClockBeforeTheEnd()
    {
        var (probe, totals) = Ended();

        // The thread lost its core after it had read the clock, and the request ended on another one before the segment was added.
        probe.AddSegment(new HeldSplit(Ms, Ms / 2, default, default, Ms / 2), now: Moment.At(6 * Ms));

        var sum = totals.Read().Sum;
        sum.Held.ShouldBe(Ms);
        sum.Blocked.ShouldBe(Ms / 2);
        sum.Time(Figure.AfterResponse).ShouldBe(Duration.Zero);
        totals.BlockedAfterResponse.ShouldBe(Duration.Zero);
    }

    [Fact]
    public void Maximum_CountsAllOfTheRequest_WhenPartsOfItComeLate()
    {
        var totals = new EndpointTotals("GET /", "/", "GET");
        var probe = new RequestProbe();
        probe.Attribute(totals);
        probe.Begin(now: Moment.At(Ms));
        probe.AddSegment(new HeldSplit(4 * Ms, Ms, default, default, 3 * Ms), now: Moment.At(5 * Ms));
        var (whole, rest) = probe.End(now: Moment.At(9 * Ms));
        totals.End(whole, rest, probe.Segments, duration: 8 * Ms, RequestOutcome.None);

        probe.AddSegment(new HeldSplit(2 * Ms, default, default, default, 2 * Ms), now: Moment.At(9 * Ms));
        probe.AddSegment(new HeldSplit(3 * Ms, default, default, default, 3 * Ms), now: Moment.At(9 * Ms));

        var figures = totals.Read();
        figures.Sum.Blocked.ShouldBe(8 * Ms);
        figures.Longest.Of(Longest.Blocked).ShouldBe(8 * Ms);
        figures.Longest.Of(Longest.Held).ShouldBe(9 * Ms);
        probe.Closed().Blocked.ShouldBe(8 * Ms);
    }

    // It ran from 1 to 11 ms.
    private static (RequestProbe Probe, EndpointTotals Totals) Ended()
    {
        var totals = new EndpointTotals("GET /", "/", "GET");
        var probe = new RequestProbe();
        probe.Attribute(totals);
        probe.Begin(now: Moment.At(Ms));
        var (whole, rest) = probe.End(now: Moment.At(11 * Ms));
        totals.End(whole, rest, probe.Segments, duration: 10 * Ms, RequestOutcome.None);
        return (probe, totals);
    }
}
