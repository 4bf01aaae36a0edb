using System.Text.Json.Nodes;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Tests.Server;

[Trait("Category", "Logic")]
public class EndpointJoinTests
{
    [Fact]
    public void Rows_AreDifferences_OfWhatMovedOnly()
    {
        var begin = Snapshot(Row("GET /a", 1000, 800_000), Row("GET /still", 7, 700));
        var end = Snapshot(Row("GET /a", 1100, 810_000), Row("GET /still", 7, 700), Row("GET /new", 10, 1000));

        var (rows, _) = EndpointJoin.Build(begin, end, threadsMax: 8);

        rows.Select(row => (row.Endpoint, row.Requests, row.BlockedMs.Mean)).ShouldBe([("GET /a", 100, 100), ("GET /new", 10, 100)]);
        rows[0].CeilingPerSecond!.Threads.ShouldBe(8);
        rows[0].CeilingPerSecond!.NowHigh!.Value.ShouldBe(8000 / 102.0, 0.01);
    }

    [Fact]
    public void Site_IsTheOneThatTheRunMet_ElseOneKnownFromBefore()
    {
        var begin = Snapshot(
            [Row("GET /a", 10, 1000), Row("GET /b", 10, 1000)], Site("Old", "GET /a", 10, 900), Site("Quiet", "GET /b", 10, 900));
        var end = Snapshot(
            [Row("GET /a", 20, 2000), Row("GET /b", 20, 2000)], Site("Old", "GET /a", 11, 910), Site("Quiet", "GET /b", 10, 900),
            Site("New", "GET /a", 9, 950));

        var (rows, sites) = EndpointJoin.Build(begin, end, threadsMax: 8);

        rows.Select(row => (row.WorstSite, row.WorstSiteIs))
            .ShouldBe([("New", SiteCoverage.Fully), ("Quiet", SiteCoverage.Earlier)], ignoreOrder: true);
        sites.Select(site => (site.At, site.Count, site.Partial)).ShouldBe([("New", 9, false), ("Old", 1, false)]);
    }

    [Fact]
    public void Site_IsPartial_WhereItMakesUpLittleOfTheBlockedTime()
    {
        var (rows, sites) = EndpointJoin.Build(null, Snapshot([Row("GET /a", 10, 1000)], Site("Here", "GET /a", 1, 100)), threadsMax: 8);

        rows[0].WorstSiteIs.ShouldBe(SiteCoverage.Partly);
        rows[0].WorstSiteMs.ShouldBe(10);
        sites[0].Partial.ShouldBeTrue();
    }

    [Fact]
    public void AllowedSite_IsNeverTheWorst_AndItsTimeIsNotAvoidable()
    {
        var allowed = Site("Allowed", "GET /a", 10, 995);
        allowed["allowed"] = "start-up";

        var (rows, sites) = EndpointJoin.Build(null, Snapshot([Row("GET /a", 10, 1000)], allowed), threadsMax: 8);

        rows[0].WorstSite.ShouldBeNull();
        // As on the server: where most of the held time is allowed to block, the work is not what to change.
        rows[0].Verdict.ShouldBe("fine");
        sites[0].Allowed.ShouldBe("start-up");
    }

    // A sleep of 100 ms, and once a lock for a moment: the lock is all that the hook saw.
    [Theory]
    [InlineData("always", null, 1, "asyncWillHelp")]
    [InlineData("always", null, 900, "lockContention")]
    [InlineData("whenBlocking", 0.01, 1, "asyncWillHelp")]
    [InlineData("whenBlocking", 0.97, 1, "lockContention")]
    public void Lock_DecidesTheVerdict_OnlyWhereItIsMostOfTheBlockedTime(
        string detection, double? explained, double lockedMs, string verdict)
    {
        var row = Row("GET /a", 10, 1000);
        row["explained"] = explained;
        var site = Site("Here", "GET /a", 1, lockedMs);
        site["kind"] = "Lock";

        var (rows, _) = EndpointJoin.Build(null, Snapshot([row], detection, site), threadsMax: 8);

        rows[0].Verdict.ShouldBe(verdict);
    }

    [Fact]
    public void Lock_DecidesTheVerdict_WhereTheRestOfTheBlockedTimeIsAllowed()
    {
        var (held, allowed) = (Site("Here", "GET /a", 10, 1200), Site("Allowed", "GET /a", 10, 800));
        held["kind"] = "Lock";
        allowed["allowed"] = "start-up";

        var (rows, _) = EndpointJoin.Build(null, Snapshot([Row("GET /a", 10, 2000)], "always", held, allowed), threadsMax: 8);

        rows[0].Verdict.ShouldBe("lockContention");
    }

    [Fact]
    public void Threads_AreWithinThePoolsLimits()
    {
        var end = Snapshot(Row("GET /a", 10, 1000));

        CeilingLimits.From(null, end, threadsMax: 1).Threads.ShouldBe(2);
        CeilingLimits.From(null, end, threadsMax: 500).Threads.ShouldBe(100);
        CeilingLimits.From(null, end, threadsMax: null).Threads.ShouldBeNull();
    }

    private static ServerSnapshot Snapshot(params JsonObject[] rows) => Snapshot(rows, sites: []);

    private static ServerSnapshot Snapshot(JsonObject[] rows, params JsonObject[] sites) => Snapshot(rows, "whenBlocking", sites);

    private static ServerSnapshot Snapshot(JsonObject[] rows, string detection, params JsonObject[] sites)
    {
        var json = new JsonObject
        {
            ["schema"] = 1, ["process"] = new JsonObject { ["processorCount"] = 2 },
            ["pool"] = new JsonObject { ["workers"] = new JsonObject { ["min"] = 2, ["max"] = 100 }, ["threads"] = 8 },
            ["endpoints"] = new JsonArray(rows), ["sites"] = new JsonArray(sites), ["probe"] = new JsonObject { ["detection"] = detection },
        };
        using var document = System.Text.Json.JsonDocument.Parse(json.ToJsonString());
        return ServerSnapshot.Read(document.RootElement, 0)!;
    }

    private static JsonObject Row(string endpoint, long requests, double blocked) => new()
    {
        ["endpoint"] = endpoint, ["requests"] = requests, ["heldMs"] = Total(blocked + (2 * requests)), ["cpuMs"] = Total(2 * requests),
        ["blockedMs"] = Total(blocked), ["gcMs"] = Total(0),
    };

    private static JsonObject Site(string at, string endpoint, long count, double blocked) => new()
    {
        ["kind"] = "Task.Wait", ["at"] = at, ["count"] = count, ["blockedMs"] = Total(blocked), ["endpoints"] = new JsonArray(endpoint),
    };

    private static JsonObject Total(double total) => new() { ["total"] = total };
}
