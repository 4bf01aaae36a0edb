using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Tests.Views;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Documents;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Observation;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class FleetMergeTests
{
    [Fact]
    public void Row_IsTheMeanOverAllRequests_AndItsThreadsAddUp()
    {
        var row = FleetMerge.Endpoints(
            [Replica("a", ("GET /x", 300, 10)), Replica("b", ("GET /x", 100, 50)), Replica("c", ("GET /y", 10, 0))])
            .Single(endpoint => endpoint.Endpoint == "GET /x");

        row.Requests.ShouldBe(400);
        row.Replicas.ShouldBe(2);
        row.BlockedMs.Mean.ShouldBe(20);
        row.RequestsPerSecond.ShouldBe(40);
        // 8,000 ms of blocked time in ten seconds.
        row.BlockedThreads.ShouldBe(0.8);
        row.CpuWaitMs.Mean.ShouldBeNull();
    }

    // A starved replica watched two of a hundred requests, and its line was listed below one that cost a tenth as much.
    [Fact]
    public void Line_StandsWhereItsEndpointsBlockedTimePutsIt_WhenFewRequestsWereWatched()
    {
        var healthy = Change(Replica("a", ("GET /y", 100, 20)), side => side with { Sites = [Line("Y.cs:1", "GET /y", 2000)] });
        var starved = Change(
            Replica("b", ("GET /x", 100, 200)),
            side => side with { Sites = [Line("X.cs:1", "GET /x", 300), Line("X.cs:2", "GET /x", 10)] });

        var sites = FleetMerge.Sites([healthy, starved]);

        sites.Select(site => site.At).ShouldBe(["X.cs:1", "Y.cs:1", "X.cs:2"]);
        sites[0].BlockedMs.Total.ShouldBe(300, "what is printed is what was seen");
    }

    [Fact]
    public void Line_HasTheMeanOfItsWaits_WhenItsTotalHoldsMoreThanThose()
    {
        SiteSide Sleep(long count, double mean) => Line("X.cs:1", "GET /x", 4500) with { Count = count, Sampled = true, BlockedMs = new(4500, mean, 82) };
        var few = Change(Replica("a", ("GET /x", 100, 45)), side => side with { Sites = [Sleep(1, 20)] });
        var more = Change(Replica("b", ("GET /x", 100, 45)), side => side with { Sites = [Sleep(3, 80)] });

        var site = FleetMerge.Sites([few, more]).ShouldHaveSingleItem();

        site.BlockedMs.ShouldBe(new(9000, 65, 82));
    }

    [Fact]
    public void Line_StandsWhereItWasSeen_WhenItsEndpointHasNoRow()
    {
        var side = Change(
            Replica("a", ("GET /y", 100, 20)),
            side => side with { Sites = [Line("Y.cs:1", "GET /y", 100), Line("Z.cs:1", "GET /z (after response)", 3000)] });

        FleetMerge.Sites([side]).Select(site => site.At).ShouldBe(["Z.cs:1", "Y.cs:1"]);
    }

    [Theory]
    [InlineData(new[] { 10.0, 11, 90 }, 2)]
    [InlineData(new[] { 90.0, 10, 11, 12 }, 0)]
    [InlineData(new[] { 10.0, 30 }, 1)]
    [InlineData(new[] { 10.0, 29 }, null)]
    [InlineData(new[] { 0.1, 0.1, 4 }, null)]
    [InlineData(new[] { 90.0 }, null)]
    [InlineData(new[] { 90.0, 90, 10 }, null)]
    public void Odd_IsThreeTimesTheMedianOfTheOthers(double[] values, int? index) =>
        (OddReplica.Find(values.Select((value, i) => ($"{i}", value)), least: 5)?.Replica).ShouldBe(index is null ? null : $"{index}");

    [Fact]
    public void Findings_NameWhoIsStarved_WhoQueues_AndWhoGetsNothing()
    {
        ReplicaSide[] replicas =
        [
            Replica("a", ("GET /x", 100, 0)), Replica("b", ("GET /x", 100, 0)), Replica("idle"),
            Change(
                Replica("bad", ("GET /x", 100, 0)),
                side => side with { WorstState = "starved", WorstCause = "blocked", State = "healthy", QueueDelayMaxMs = 4000 }),
        ];

        var findings = FleetFindings.From(replicas);

        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Observation/FleetFindings");
        texts.Add("one replica starved, another idle", string.Join('\n', findings));
        texts.ShouldBeApproved();
    }

    // A server whose watcher is gone reports no state.
    [Fact]
    public void State_IsNotMadeUp_WhenAReplicaReportsNoneAtTheEnd()
    {
        var replica = Change(
            Replica("lost", ("GET /x", 100, 0)), side => side with { WorstState = "starved", State = null, QueueDelayMaxMs = 4000 });

        FleetFindings.From([replica]).ShouldHaveSingleItem().ShouldNotContain("at the end");
        ObservationText.Row(replica)[^1].ShouldBe("?, was starved");
    }

    [Fact]
    public void History_KeepsItsMaxima_HoweverLong()
    {
        var history = new MomentHistory();
        IReadOnlyList<PoolMoment> all = [];
        for (var i = 0; i < 20_000; i++)
        {
            // Each answer repeats the last seconds.
            all = history.Add([.. Enumerable.Range(Math.Max(0, i - 3), Math.Min(i, 3) + 1).Select(n => Moment(n, n == 777 ? 5000 : 1))]);
        }

        all.Count.ShouldBeLessThanOrEqualTo(7200);
        all.Max(moment => moment.QueueDelayMs).ShouldBe(5000);
        all.ShouldBe(all.OrderBy(moment => moment.At).DistinctBy(moment => moment.At));
        all[^1].At.ShouldBe(DateTimeOffset.UnixEpoch.AddSeconds(19_999));
    }

    [Theory]
    [InlineData(60)]
    [InlineData(80)]
    public void Observation_FitsTheWidth(int width)
    {
        ReplicaSide[] replicas = [.. Enumerable.Range(1, 50).Select(
            i => Replica($"10.12.34.{i}:8080", ("GET /customers/{customerId}/orders", 1000, i == 7 ? 900 : 20)))];
        var result = new ObservationResult
        {
            StartedAt = DateTimeOffset.UnixEpoch, Seconds = 10, Replicas = replicas, Endpoints = FleetMerge.Endpoints(replicas),
            Findings = FleetFindings.From(replicas),
        };

        var text = Printed.Text(console => TerminalDocument.Write(ObservationDocument.Create(result), console), width);

        text.ReplaceLineEndings("\n").Split('\n').ShouldAllBe(line => line.Length <= width);
        text.ReplaceLineEndings(" ").ShouldContain("10.12.34.7:8080 is the odd one out");
    }

    private static SiteSide Line(string at, string endpoint, double blockedMs) => new()
    {
        Kind = "Task.Wait",
        At = at,
        Via = null,
        Count = 1,
        BlockedMs = new(blockedMs, blockedMs, blockedMs),
        Endpoints = [endpoint],
        Partial = true,
    };

    private static PoolMoment Moment(int second, double delay) => new(DateTimeOffset.UnixEpoch.AddSeconds(second), 4, 0, 1, delay, 0, 1);

    private static ReplicaSide Replica(string name, params (string Endpoint, long Requests, double BlockedMs)[] rows) => new()
    {
        Name = name,
        Seconds = 10,
        Requests = rows.Sum(row => row.Requests),
        Server = Facts.Server(rows) with { QueueDelayMaxMs = 2, State = "healthy", WorstState = "healthy" },
    };

    private static ReplicaSide Change(ReplicaSide replica, Func<ServerSide, ServerSide> change) =>
        replica with { Server = change(replica.Server) };
}
