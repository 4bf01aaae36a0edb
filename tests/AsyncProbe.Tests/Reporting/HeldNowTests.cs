using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Reporting.Json;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Reporting;

[Trait(Logic.Category, Logic.Name)]
public sealed class HeldNowTests
{
    // The report of a starved pool once had 112 equal rows, "no managed wait seen", although the wait was known.
    [Fact]
    public void Rows_AreOneForEachPlace_WithTheLongest()
    {
        var rows = HeldNow.Describe([.. Segments("GET /orders", 110), .. Segments("GET /other", 2)], new Told());

        rows.Count.ShouldBe(3);
        rows.Sum(r => r.Threads).ShouldBe(112);
        var named = rows.Single(r => r.At is not null);
        (named.Endpoint, named.Threads, named.HeldMs, named.Looked, named.MostlyAt).ShouldBe(("GET /orders", 10, 100, true, null));
        var others = rows.Single(r => r is { At: null, Endpoint: "GET /orders" });
        (others.Threads, others.HeldMs, others.Looked, others.MostlyAt).ShouldBe((100, 1100, false, Told.Site));
        rows.Single(r => r.Endpoint == "GET /other").MostlyAt.ShouldBeNull();
    }

    private static List<LiveSegment> Segments(string endpoint, int count)
    {
        var probe = new RequestProbe();
        probe.Attribute(new EndpointTotals(endpoint, "/", "GET"));
        return [.. Enumerable.Range(1, count).Select(
            i => new LiveSegment(probe, i, 10 * i * Duration.Millisecond, Duration.Zero, IsBlocked: true))];
    }

    private sealed class Told : IWaitFinder
    {
        public const string Site = "Orders.Load (Orders.cs:42)";

        // Only two requests of an endpoint carry the hook at a time, or earlier ones did.
        public SegmentWait Find(LiveSegment segment) =>
            segment is { OsThreadId: <= 10, Probe.Totals.Endpoint: "GET /orders" }
                ? new SegmentWait(Site, true)
                : new SegmentWait(null, null);

        public string? WorstOf(string endpoint, bool isSampled) => endpoint == "GET /orders" ? Site : null;
    }
}
