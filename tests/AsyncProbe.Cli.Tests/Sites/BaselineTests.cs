using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sites;

namespace AsyncProbe.Cli.Tests.Sites;

[Trait("Category", "Logic")]
public class BaselineTests
{
    private static readonly Baseline s_baseline = new(
        [new("GET /orders", "Task.Wait", "Orders.Load"), new("GET /old", "Lock", "Cache.Get")]);

    [Fact]
    public void Site_IsTheSame_WhereverItsLineIs() =>
        s_baseline.FindNew([Known.Site(line: 7), Known.Site(file: "Moved/Orders.cs"), Known.Site(file: null, line: null)]).ShouldBeEmpty();

    [Fact]
    public void Site_IsNew_WhenEndpointKindOrMethodDiffers()
    {
        s_baseline.FindNew([Known.Site(method: "Orders.Save")]).Single().Method.ShouldBe("Orders.Save");
        s_baseline.FindNew([Known.Site(kind: "Lock")]).Single().Kind.ShouldBe("Lock");
        s_baseline.FindNew([Known.Site(endpoints: ["GET /orders", "GET /more"])]).Single().Endpoints.ShouldBe(["GET /more"]);
    }

    // A server names a hundred endpoints of a site. Which ones depends on the order in which they blocked.
    [Fact]
    public void Endpoint_IsNotNew_WhenTheServerHadNoRoomForItsName()
    {
        var baseline = new Baseline([new("GET /a", "Task.Wait", "Orders.Load"), new("(more endpoints)", "Task.Wait", "Orders.Load")]);

        baseline.FindNew([Known.Site(endpoints: ["GET /b", "(more endpoints)"])]).ShouldBeEmpty();
        baseline.FindNew([Known.Site("Orders.Save", endpoints: ["GET /a"]), Known.Site(kind: "Lock", endpoints: ["GET /b"])]).Count.ShouldBe(2);
        s_baseline.FindNew([Known.Site(endpoints: ["GET /orders", "(more endpoints)"])]).ShouldBeEmpty();
        s_baseline.FindNew([Known.Site("Orders.Save", endpoints: ["(more endpoints)"])]).Count.ShouldBe(1);
    }

    [Fact]
    public void Site_IsOne_OnSeveralLinesOfAMethod()
    {
        var found = s_baseline.FindNew(
            [Known.Site("A.B", endpoints: ["GET /a"], line: 1), Known.Site("A.B", endpoints: ["GET /a", "GET /b"], line: 2)]);

        found.Single().Endpoints.ShouldBe(["GET /a", "GET /b"]);
    }

    [Fact]
    public void Site_IsNotNew_WhenSomebodyHasAllowedIt() =>
        s_baseline.FindNew([Known.Site("A.B") with { Allowed = "start-up" }]).ShouldBeEmpty();

    [Fact]
    public void Server_SaysWhatIsNew()
    {
        var side = ServerSide.Without(
            ServerStatus.Joined, null) with { KnownSites = [Known.Site(), .. Enumerable.Range(0, 12).Select(i => Known.Site("A.B" + i))] };

        var applied = s_baseline.Apply(side);

        applied.NewSites!.Count.ShouldBe(12);
        applied.Findings.Count.ShouldBe(11);
        foreach (var part in (string[])["A.B0", "Orders.cs:42", "Task.Wait", "GET /orders"])
        {
            applied.Findings[0].ShouldContain(part);
        }

        applied.Findings[^1].ShouldContain(" 2 more ");
        s_baseline.Apply(side with { Status = ServerStatus.NoAnswer }).NewSites.ShouldBeNull();
    }
}
