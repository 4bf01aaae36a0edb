using System.Text.Json;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Tests.Joining;

[Trait("Category", "Logic")]
public class KnownSitesTests
{
    private static readonly ServerSnapshot s_begin = Snapshot(requests: (10, 10), counts: (5, 5));

    [Fact]
    public void Site_IsKnown_ThoughNoRequestOfTheRunWasLookedAt()
    {
        var sites = KnownSites.Find(s_begin, Snapshot(requests: (20, 10), counts: (5, 5)));

        sites.Select(site => (site.Method, site.Earlier, site.Count, site.MeanMs)).ShouldBe([("Here.Get", true, 5, 100)]);
    }

    [Fact]
    public void Site_HasTheRunsFigures_WhereTheRunBlockedThere()
    {
        var sites = KnownSites.Find(s_begin, Snapshot(requests: (20, 10), counts: (9, 5), meanMs: 200));

        sites.Select(site => (site.Method, site.Earlier, site.Count, site.MeanMs)).ShouldBe([("Here.Get", false, 4, (1800 - 500) / 4.0)]);
        (sites[0].File, sites[0].Line, sites[0].Endpoints.Single()).ShouldBe(("Data/Here.cs", 7, "GET /a"));
    }

    [Fact]
    public void Site_IsKnown_WhenItsRequestHasNotEndedYet() =>
        KnownSites.Find(s_begin, Snapshot(requests: (10, 10), counts: (6, 5))).Select(site => (site.Method, site.Endpoints[0]))
            .ShouldBe([("Here.Get", "GET /a")]);

    // 49.4 ms once became 773: the total includes shares for which no wait was timed.
    [Fact]
    public void Mean_IsThatOfTheWaits_WhereTheTotalHoldsShares() =>
        KnownSites.Find(null, Snapshot(requests: (10, 10), counts: (5, 5), meanMs: 50, sharedMs: 30_000))
            .Select(site => site.MeanMs).ShouldBe([50, 50]);

    [Fact]
    public void AllSites_AreKnown_WithoutABegin() =>
        KnownSites.Find(null, s_begin).Select(site => site.Method).ShouldBe(["Here.Get", "Elsewhere.Get"]);

    private static ServerSnapshot Snapshot((int A, int B) requests, (int A, int B) counts, double meanMs = 100, double sharedMs = 0)
    {
        using var json = JsonDocument.Parse($$"""
            {
              "schema": 1, "pool": {},
              "endpoints": [{ "endpoint": "GET /a", "requests": {{requests.A}} }, { "endpoint": "GET /b", "requests": {{requests.B}} }],
              "sites": [{{Site("Here", "GET /a", counts.A, meanMs, sharedMs)}}, {{Site("Elsewhere", "GET /b", counts.B, meanMs, sharedMs)}}]
            }
            """);
        return ServerSnapshot.Read(json.RootElement, 0)!;
    }

    private static string Site(string type, string endpoint, int count, double meanMs, double sharedMs) => $$"""
        { "kind": "Task.Wait", "at": "{{type}}.Get", "file": "Data\\{{type}}.cs", "line": 7, "count": {{count}}, "endpoints": ["{{endpoint}}"],
          "blockedMs": { "total": {{(count * meanMs) + sharedMs}}, "mean": {{meanMs}}, "max": {{meanMs}} } }
        """;
}
