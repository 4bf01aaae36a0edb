using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sites;

namespace AsyncProbe.Cli.Tests.Sites;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class FindingsTests
{
    [Fact]
    public void Finding_SaysWhatHappenedThereAndWhatToDo()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sites/Findings");
        texts.Add("blocking", Sentence(Known.Site()));
        texts.Add("blocking, at least once, with an alternative",
            Sentence(Known.Site(kind: "SyncDb") with { Awaitable = "ExecuteReaderAsync", Partial = true, Count = 1 }));
        texts.Add("seen in samples, of many endpoints",
            Sentence(Known.Site(kind: "Sleep", endpoints: ["a", "b", "c", "d", "e"]) with { Sampled = true, MeanMs = null, Count = 12 }));
        texts.Add("the alternative is await itself", Sentence(Known.Site() with { Awaitable = "await" }));
        texts.ShouldBeApproved();

        static string Sentence(KnownSite site) => From(site).Single().Sentence;
    }

    [Fact]
    public void Fingerprint_SurvivesMovedLinesAndFiles_AndTellsSitesApart()
    {
        var before = Prints(Known.Site(line: 42), Known.Site(line: 50), Known.Site("Orders.Save"), Known.Site(kind: "Lock"));
        var after = Prints(
            Known.Site(line: 99, file: "Moved/Orders.cs"), Known.Site(line: 107, file: "Moved/Orders.cs"),
            Known.Site("Orders.Save", line: 3), Known.Site(kind: "Lock", line: 4));

        after.ShouldBe(before);
        before.ShouldBeUnique();
        // Code scanning stores this value, so it may never change.
        before[0].ShouldBe(Expected);

        static List<string> Prints(params KnownSite[] sites) => [.. From(sites).Select(finding => finding.Fingerprint)];
    }

    [Fact]
    public void Lines_AreMergedOverServers_TheNewAndThenTheWorstFirst()
    {
        var (old, worst, fresh) = (Known.Site("A.Old") with { MeanMs = 1 }, Known.Site("A.Worst"), Known.Site("A.New") with { Count = 1 });
        var server = ServerSide.Without(ServerStatus.Joined, null) with { KnownSites = [old, worst, fresh], NewSites = [fresh] };
        var other = server with { KnownSites = [worst with { Count = 2 * worst.Count, MeanMs = worst.MeanMs + 3,
            Endpoints = ["GET /more"] }], NewSites = [] };

        var findings = Findings.From([server, other], path => path);

        findings.Select(finding => (finding.Site.Method, finding.IsNew)).ShouldBe([("A.New", true), ("A.Worst", false), ("A.Old", false)]);
        findings[1].Site.Count.ShouldBe(3 * worst.Count);
        findings[1].Site.MeanMs.ShouldBe(worst.MeanMs + 2);
        findings[1].Site.Endpoints.ShouldBe(["GET /orders", "GET /more"]);
    }

    // The first of five rounds watched 20 waits, the others none. Their counts are the server's until then, and were once added up to 100.
    [Theory]
    [InlineData(false, 20)]
    [InlineData(true, 24)]
    public void Line_CountsItsWaitsOnce_WhenLaterRoundsWatchedNone(bool isKnownBefore, long expected)
    {
        var rounds = new[] { 20, 20, 22, 24, 24 }.Select((count, round) =>
            Server([Known.Site() with { Count = count, MeanMs = count, Earlier = isKnownBefore || round > 0 }]) with { Url = "http://a/" });

        var site = Findings.From([.. rounds], path => path).Single().Site;

        site.Count.ShouldBe(expected);
        site.MeanMs.ShouldBe(expected);
    }

    [Fact]
    public void Line_AddsEarlierCounts_OfDifferentServersAndCallsOnly()
    {
        var here = Known.Site() with { Count = 20, Earlier = true };
        var viaAnother = here with { Count = 5, Via = "Lazy.get" };
        var first = Server([here, viaAnother]) with { Url = "http://a/" };
        var other = Server([here with { Count = 30, Endpoints = ["GET /more"] }]) with { Url = "http://b/" };

        var site = Findings.From([first, first, other], path => path).Single().Site;

        site.Count.ShouldBe(55);
        site.Endpoints.ShouldBe(["GET /orders", "GET /more"]);
    }

    [Fact]
    public void Site_IsNoFinding_WhenItIsAllowedOrItsLineIsNotKnown()
    {
        KnownSite[] sites =
        [
            Known.Site("A.Allowed") with { Allowed = "start-up" },
            Known.Site("A.NoLine", line: null),
            Known.Site("A.NoFile", file: null),
        ];

        From(sites).ShouldBeEmpty();
        Findings.CountWithoutLine([Server(sites)]).ShouldBe(2);
    }

    [Fact]
    public void Rules_AreThoseOfTheServersTable()
    {
        WaitRule.All.Count.ShouldBe(18);
        WaitRule.All.Select(rule => rule.Id).ShouldBeUnique();
        WaitRule.All.ShouldAllBe(rule => System.Text.RegularExpressions.Regex.IsMatch(rule.Id, "^[a-z]+(-[a-z]+)*$"));
        WaitRule.Get("Task.WaitAll/Any")
            .ShouldBe(new("task-waitall-any", "BlockingTaskWaitAll", "Task.WaitAll/Any", "Await Task.WhenAll or Task.WhenAny instead."));
        WaitRule.Get("of a newer server").Id.ShouldBe("other");
    }

    private const string Expected = "58d4c3495182d13b:1";

    private static IReadOnlyList<Finding> From(params KnownSite[] sites) => Findings.From([Server(sites)], path => path);

    private static ServerSide Server(IReadOnlyList<KnownSite> sites) =>
        ServerSide.Without(ServerStatus.Joined, null) with { KnownSites = sites };
}
