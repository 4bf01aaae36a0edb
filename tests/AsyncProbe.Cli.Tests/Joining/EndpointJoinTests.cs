using System.Text.Json.Nodes;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Tests.Joining;

[Trait("Category", "Logic")]
public class EndpointJoinTests
{
    [Fact]
    public void Rows_AreDifferences_OfWhatMovedOnly()
    {
        var begin = Snapshot(Row("GET /a", 1000, 800_000), Row("GET /still", 7, 700));
        var end = Snapshot(Row("GET /a", 1100, 810_000), Row("GET /still", 7, 700), Row("GET /new", 10, 1000));

        var (rows, _) = Build(begin, end);

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

        var (rows, sites) = Build(begin, end);

        rows.Select(row => (row.WorstSite, row.WorstSiteIs))
            .ShouldBe([("New", SiteCoverage.Fully), ("Quiet", SiteCoverage.Earlier)], ignoreOrder: true);
        sites.Select(site => (site.At, site.Count, site.Partial)).ShouldBe([("New", 9, false), ("Old", 1, false)]);
    }

    [Fact]
    public void Site_IsPartial_WhereItMakesUpLittleOfTheBlockedTime()
    {
        var (rows, sites) = Build(null, Snapshot([Row("GET /a", 10, 1000)], Site("Here", "GET /a", 1, 100)));

        rows[0].WorstSiteIs.ShouldBe(SiteCoverage.Partly);
        rows[0].WorstSiteMs.ShouldBe(10);
        sites[0].Partial.ShouldBeTrue();
    }

    [Fact]
    public void AllowedSite_IsNeverTheWorst_AndItsTimeIsNotAvoidable()
    {
        var allowed = Site("Allowed", "GET /a", 10, 995);
        allowed["allowed"] = "start-up";

        var (rows, sites) = Build(null, Snapshot([Row("GET /a", 10, 1000)], allowed));

        rows[0].WorstSite.ShouldBeNull();
        // As on the server: where most of the held time is allowed to block, the code doesn't need to change.
        rows[0].Verdict.ShouldBe("fine");
        sites[0].Allowed.ShouldBe("start-up");
    }

    // A sleep of 100 ms and one brief wait for a lock: the lock is all that the hook saw.
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

        var (rows, _) = Build(null, Snapshot([row], detection, site));

        rows[0].Verdict.ShouldBe(verdict);
    }

    [Fact]
    public void Lock_DecidesTheVerdict_WhereTheRestOfTheBlockedTimeIsAllowed()
    {
        var (held, allowed) = (Site("Here", "GET /a", 10, 1200), Site("Allowed", "GET /a", 10, 800));
        held["kind"] = "Lock";
        allowed["allowed"] = "start-up";

        var (rows, _) = Build(null, Snapshot([Row("GET /a", 10, 2000)], "always", held, allowed));

        rows[0].Verdict.ShouldBe("lockContention");
    }

    // Once the place is known, few requests carry the hook, and only two at a time: the run's sites may contain some requests or none.
    [Theory]
    [InlineData("whenBlocking", 0, "lockContention")]
    [InlineData("whenBlocking", 1, "lockContention")]
    [InlineData("always", 1, "lockContention")]
    public void Lock_DecidesTheVerdict_AsOnTheServer_WhereFewRequestsOfTheRunWereWatched(string detection, int watched, string verdict)
    {
        var begin = Snapshot([Row("GET /a", 100, 10_000)], detection, Lock("GET /a", 20, 2000));
        var row = Row("GET /a", 200, 20_000);
        row["explained"] = 0.99;
        row["recent"] = Recent(blocked: 100, allowed: 0, locks: 98, provider: 0);
        var end = Snapshot([row], detection, Lock("GET /a", 20 + watched, 2000 + (100 * watched)));

        var (rows, _) = Build(begin, end);

        rows[0].Verdict.ShouldBe(verdict);
        rows[0].WorstSiteKind.ShouldBe("Lock");
        rows[0].Advice!.ShouldContain("contended lock");
    }

    [Theory]
    [InlineData(0, 0, 0, "asyncWillHelp")]
    [InlineData(20, 0, 70, "providerIsSynchronous")]
    [InlineData(60, 0, 30, "lockContention")]
    [InlineData(0, 95, 0, "fine")]
    public void Verdict_SharesTheBlockedTimeOut_AsTheServerDoes(double locks, double allowed, double provider, string verdict)
    {
        var row = Row("GET /a", 10, 1000);
        row["recent"] = Recent(100, allowed, locks, provider);

        var (rows, _) = Build(null, Snapshot([row], Site("Here", "GET /a", 1, 30)));

        rows[0].Verdict.ShouldBe(verdict);
    }

    [Fact]
    public void AllowedTime_IsThatOfAllRequests_WhereFewWereWatched()
    {
        var (before, after) = (Row("GET /a", 100, 10_000), Row("GET /a", 200, 20_000));
        before["allowedMs"] = Total(0);
        after["allowedMs"] = Total(9_900);

        var (rows, _) = Build(Snapshot(before), Snapshot(after));

        rows[0].Verdict.ShouldBe("fine");
    }

    [Fact]
    public void Place_OfLockContention_IsTheLock_ThoughTheLongestWaitIsAnother()
    {
        var row = Row("GET /a", 10, 1000);
        row["recent"] = Recent(100, 0, 60, 0);

        var (rows, _) = Build(
            null, Snapshot([row], Site("Task", "GET /a", 10, 400), Lock("GET /a", 10, 300), Lock("GET /a", 10, 299)));

        (rows[0].Verdict, rows[0].WorstSite, rows[0].WorstSiteKind).ShouldBe(("lockContention", "Locked", "Lock"));
        rows[0].Advice!.ShouldContain("(Locked [Lock]");
    }

    // 35 of 1,117 requests were watched, and the advice said "most of it at a contended lock (0.72 ms a request)" of 18 ms.
    [Theory]
    [InlineData("whenBlocking", "Here [Task.Wait] (in part)")]
    [InlineData("always", "Here [Task.Wait] (10.0 ms a request)")]
    public void TimeOfARequest_IsGiven_OnlyIfEveryRequestWasWatched(string detection, string expected)
    {
        var (rows, _) = Build(
            null, Snapshot([Row("GET /a", 10, 1000)], detection, Site("Here", "GET /a", 1, 100)));

        WorstSiteText.Where(rows[0]).ShouldBe(expected);
    }

    // In an earlier run it waited briefly for a task, once. No hook can see what it does all the time.
    [Theory]
    [InlineData(0.02, null)]
    [InlineData(0.97, "Waits")]
    public void Place_IsNotOneThatExplainsNextToNothing_FromBeforeTheRun(double explained, string? place)
    {
        var row = Row("GET /a", 200, 20_000);
        row["explained"] = explained;
        row["recent"] = Recent(100, 0, 0, 0);

        var (rows, _) = Build(
            Snapshot([Row("GET /a", 100, 10_000)], Site("Waits", "GET /a", 1, 20)), Snapshot([row], Site("Waits", "GET /a", 1, 20)));

        rows[0].WorstSite.ShouldBe(place);
        rows[0].Advice!.ShouldContain(place is null ? AsyncProbe.Rules.WaitsSeenTexts.Unknown : "most at Waits [");
    }

    // "await instead" was once said about the lock or the database command that the endpoint waited for longest.
    [Theory]
    [InlineData("kind", "Lock")]
    [InlineData("help", "providers-that-are-synchronous-inside")]
    public void Advice_NamesAPlaceThatCanBeAwaited_ThoughTheLongestWaitCannot(string property, string value)
    {
        var row = Row("GET /a", 10, 1000);
        row["recent"] = Recent(100, 0, 0, 0);
        var longest = Site("Longest", "GET /a", 10, 500);
        longest[property] = value;

        var (rows, _) = Build(null, Snapshot([row], longest, Site("Waits", "GET /a", 10, 400)));

        rows[0].Verdict.ShouldBe("asyncWillHelp");
        rows[0].WorstSite.ShouldBe("Waits");
        rows[0].Advice!.ShouldNotContain("Longest");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Advice_SuggestsStackSnapshots_OnlyWhereTheServerHasNone(bool hasSnapshots)
    {
        var end = Snapshot([Row("GET /a", 10, 1000)], "always") with { HasSnapshots = hasSnapshots };

        var (rows, _) = Build(null, end);

        rows[0].Advice!.Contains("Add AsyncProbe.StackSnapshots", StringComparison.Ordinal).ShouldBe(!hasSnapshots && OperatingSystem.IsLinux());
    }

    [Fact]
    public void Threads_AreWithinThePoolsLimits()
    {
        var end = Snapshot(Row("GET /a", 10, 1000));

        CeilingLimits.From(null, end, threadsMax: 1).Threads.ShouldBe(2);
        CeilingLimits.From(null, end, threadsMax: 500).Threads.ShouldBe(100);
        CeilingLimits.From(null, end, threadsMax: null).Threads.ShouldBeNull();
    }

    // A cold server compiles its code while it answers. The command once charged that to the requests, and predicted a fraction of the
    // rate that the page predicted.
    [Theory]
    [InlineData(null, 1000)]
    [InlineData(3.0, 400)]
    public void Ceiling_CountsTheOverheadThatTheServerMeasured_AndNoOther(double? overheadMs, double expected)
    {
        var end = Snapshot(Row("GET /a", 10_000, 0)) with { RequestOverheadMs = overheadMs };

        var (rows, _) = Build(Snapshot(Row("GET /a", 0, 0)), end);

        rows[0].CeilingPerSecond!.NowHigh.ShouldBe(expected);
    }

    // The server rounds its means to thousandths. A million requests before the run turned the run's 12 ms into 2 ms, so each request
    // seemed to hold several threads.
    [Theory]
    [InlineData(1_000_000, false)]
    [InlineData(1_000, true)]
    public void Duration_IsUnknown_WhereItIsLessThanTheRoundingOfEarlierRequests(long earlier, bool isParallel)
    {
        var (before, after) = (Row("GET /a", earlier, 10 * earlier), Row("GET /a", earlier + 100, 10 * (earlier + 100)));
        before["durationMs"] = new JsonObject { ["mean"] = 12 };
        after["durationMs"] = new JsonObject { ["mean"] = Math.Round(12 - (10 * 100.0 / (earlier + 100)), 3) };

        var (rows, _) = Build(Snapshot(before), Snapshot(after));

        rows[0].Advice!.Contains("several pool threads", StringComparison.Ordinal).ShouldBe(isParallel);
    }

    // Ten million waits of 12 ms each before the run, and a hundred in it.
    [Theory]
    [InlineData(true, 10.0)]
    [InlineData(false, null)]
    public void MeanOfASite_IsThatOfTheTimedWaits_AndUnknownWhereRoundingHidesIt(bool hasEvidence, double? expected)
    {
        var (before, after) = (Long(10_000_000, 120_000_000), Long(10_000_100, 120_001_000));

        var (_, sites) = Build(Snapshot([Row("GET /a", 1, 100)], before), Snapshot([Row("GET /a", 2, 200)], after));

        sites[0].BlockedMs.Mean.ShouldBe(expected);

        JsonObject Long(long count, double blocked)
        {
            var site = Site("Here", "GET /a", count, blocked);
            site["blockedMs"]!["mean"] = Math.Round(blocked / count, 3);
            site["evidence"] = hasEvidence ? new JsonObject { ["measured"] = count, ["measuredMs"] = blocked } : null;
            return site;
        }
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

    private static JsonObject Lock(string endpoint, long count, double blocked)
    {
        var site = Site("Locked", endpoint, count, blocked);
        site["kind"] = "Lock";
        return site;
    }

    private static JsonObject Recent(double blocked, double allowed, double locks, double provider) => new()
    {
        ["requests"] = 100, ["blockedMs"] = blocked, ["allowedMs"] = allowed, ["locksMs"] = locks, ["providerMs"] = provider,
        ["unexplainedMs"] = 0, ["unclearMs"] = 0,
    };

    private static JsonObject Total(double total) => new() { ["total"] = total };

    private static (IReadOnlyList<EndpointSide> Endpoints, IReadOnlyList<SiteSide> Sites) Build(ServerSnapshot? begin, ServerSnapshot end) =>
        EndpointJoin.Build(begin, end, CeilingLimits.From(begin, end, threadsMax: 8));
}
