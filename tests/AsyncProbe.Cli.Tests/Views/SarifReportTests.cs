using System.Text.Json.Nodes;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Tests.Sites;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Tests.Views;

/// <summary>Checks the shape. AsyncProbe.Stories.Tests check that SARIF's own tool accepts it.</summary>
[Trait("Category", "Logic")]
public class SarifReportTests
{
    private static readonly ServerSide s_server = ServerSide.Without(ServerStatus.Joined, null) with
    {
        KnownSites = [Known.Site(), Known.Site("Cache.Get", "Lock", file: "With space & ä/Cache.cs") with { Count = 1 }],
    };

    [Fact]
    public void Result_HasRuleMessagePlaceAndFingerprint()
    {
        var run = Create(s_server);

        var result = run["results"]![0]!;
        ((string)result["ruleId"]!).ShouldBe("task-wait");
        ((string)run["tool"]!["driver"]!["rules"]![(int)result["ruleIndex"]!]!["id"]!).ShouldBe("task-wait");
        ((string)result["message"]!["text"]!).ShouldStartWith("GET /orders blocked ");
        var place = result["locations"]![0]!["physicalLocation"]!;
        ((string)place["artifactLocation"]!["uri"]!).ShouldBe("src/Data/Orders.cs");
        ((int)place["region"]!["startLine"]!).ShouldBe(42);
        ((string)result["partialFingerprints"]!["primaryLocationLineHash"]!).ShouldBe(
            Findings.From([s_server], path => path)[0].Fingerprint);
        result["baselineState"].ShouldBeNull();
    }

    [Fact]
    public void Path_IsAUri() =>
        ((string)Create(s_server)["results"]![1]!["locations"]![0]!["physicalLocation"]!["artifactLocation"]!["uri"]!).ShouldBe(
            "src/With%20space%20%26%20%C3%A4/Cache.cs");

    [Fact]
    public void Rules_HaveHelpAndAName_AllOfThem() =>
        Create(s_server)["tool"]!["driver"]!["rules"]!.AsArray()
            .ShouldAllBe(rule => rule!["help"]!["text"] != null && rule["name"] != null && rule["shortDescription"]!["text"] != null);

    [Fact]
    public void Result_SaysWhetherItIsNew_WithABaseline() =>
        Create(s_server with { NewSites = [s_server.KnownSites[1]] })["results"]!.AsArray()
            .Select(result => (string)result!["baselineState"]!).ShouldBe(["new", "unchanged"]);

    [Fact]
    public void Log_IsWrittenWithoutFindingsToo() =>
        Create(ServerSide.Without(ServerStatus.Off, null))["results"]!.AsArray().ShouldBeEmpty();

    private static JsonNode Create(ServerSide server) =>
        JsonNode.Parse(SarifReport.Create(Findings.From([server], path => "src/" + path)))!["runs"]![0]!;
}
