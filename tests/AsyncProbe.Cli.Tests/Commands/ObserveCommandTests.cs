using System.Text.Json.Nodes;
using System.Xml.Linq;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Views;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Cli.Tests.Commands;

[SideBySide]
public class ObserveCommandTests
{
    [Fact]
    public async Task Observe_MergesReplicas_AndNamesTheOddOne()
    {
        await using var first = await TestServer.StartWithReportAsync(held: 20);
        await using var second = await TestServer.StartWithReportAsync(held: 20);
        await using var odd = await TestServer.StartWithReportAsync(held: 400);

        var tool = await Tool.RunAsync("observe", first.Url, second.Url, odd.Url, "-s", "2", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Messages.ShouldContain("Observing 3 of 3 replicas for 2 s");
        var row = tool.Json["endpoints"]!.AsArray().ShouldHaveSingleItem()!;
        ((string)row["endpoint"]!).ShouldBe("GET /plain");
        ((int)row["replicas"]!).ShouldBe(3);
        ((string)row["odd"]!["replica"]!).ShouldBe(new Uri(odd.Url).Authority);
        ((double)row["odd"]!["value"]!).ShouldBe(398, 0.01);
        ((double)row["odd"]!["others"]!).ShouldBe(18, 0.01);
        var site = tool.Json["sites"]!.AsArray().ShouldHaveSingleItem()!;
        ((string)site["at"]!).ShouldBe("Orders.Load (Orders.cs:42)");
        ((string)site["odd"]!["replica"]!).ShouldBe(new Uri(odd.Url).Authority);

        // Only the observed time counts: the thousand earlier requests held 200 ms each.
        var replicas = tool.Json["replicas"]!.AsArray();
        replicas.Select(replica => (double)replica!["server"]!["endpoints"]![0]!["heldMs"]!["mean"]!)
            .ShouldBe([20, 20, 400], tolerance: 0.01);
        replicas.Sum(replica => (long)replica!["requests"]!).ShouldBe((long)row["requests"]!);
        ((long)row["requests"]!).ShouldBeLessThan(1000);
        ((double)replicas[0]!["seconds"]!).ShouldBeGreaterThan(1);
    }

    [Fact]
    public async Task BadReplicas_GetASentenceEach_AndTheOthersGoOn()
    {
        await using var good = await TestServer.StartWithReportAsync();
        await using var without = await TestServer.StartAsync();
        await using var newer = await TestServer.StartWithReportAsync();
        await using var other = await TestServer.StartWithReportAsync();
        newer.Report.Schema = 2;
        other.Report.Instead = async (context, _) =>
        {
            await context.Response.WriteAsync("<html>hello</html>");
            return true;
        };

        var tool = await Tool.RunAsync(
            "observe", "localhost;5080", without.Url, newer.Url, other.Url, "http://127.0.0.1:21993", good.Url["http://".Length..], "-s", "1", "--threshold",
            "blocked.avg>1");

        tool.ExitCode.ShouldBe(0, tool.Messages + tool.Results);
        tool.Results.ShouldContain("1 replica observed");
        tool.Results.ShouldContain("5 of 6 could not be observed");
        tool.Results.ShouldContain("\"localhost;5080\" is not a URL");
        tool.Results.ShouldContain($"{without.Url}/_threadpool answers 404.");
        tool.Results.ShouldContain($"{newer.Url}/_threadpool does not have schema 1");
        tool.Results.ShouldContain($"{other.Url}/_threadpool is not an AsyncProbe report");
        tool.Results.ShouldContain("http://127.0.0.1:21993");
        tool.Results.ShouldContain("✓ blocked.avg>1  198 ms (of 1 of 6 replicas)");
        tool.Results.ShouldContain("GET /plain");
    }

    [Fact]
    public async Task LiveView_DoesNotSpeakOfTheEnd_BeforeIt()
    {
        await using var server = await TestServer.StartWithReportAsync();
        var replica = ObservedReplica.FindAsync(server.Url, lifeline: null, insecure: false, CancellationToken.None);
        using var observer = await FleetObserver.BeginAsync([replica]);

        observer.Look().Findings.ShouldNotContain(finding => finding.Contains("at the end", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(1, true, false, "1 sample")]
    [InlineData(1200, true, true, "1,200 samples")]
    [InlineData(3, false, true, "3*")]
    [InlineData(3, false, false, "3")]
    public void Times_SayHowTheyWereCounted(long count, bool isSampled, bool isPartial, string expected) =>
        ServerText.Times(count, isSampled, isPartial).ShouldBe(expected);

    [Fact]
    public async Task Operations_StandWithTheEndpoints()
    {
        await using var server = await TestServer.StartWithReportAsync();
        server.Report.HasOperation = true;

        var tool = await Tool.RunAsync("observe", server.Url, "-s", "1", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        var job = tool.Json["endpoints"]!.AsArray().Single(row => (string)row!["endpoint"]! == "nightly job")!;
        ((double)job["blockedMs"]!["mean"]!).ShouldBe(39, 0.01);
    }

    [Theory]
    [InlineData("http://10.0.0.1:5099/")]
    [InlineData("file:///etc/passwd")]
    public async Task Lifeline_IsNotAsked_OnAnotherMachine(string lifeline)
    {
        await using var server = await TestServer.StartWithReportAsync();
        server.Report.Lifeline = lifeline;

        var tool = await Tool.RunAsync("observe", server.Url, "-s", "1", "--json");

        tool.ExitCode.ShouldBe(0, tool.Messages);
        ((int)tool.Json["replicas"]![0]!["lifelineAnswers"]!).ShouldBe(0);
    }

    [Fact]
    public async Task Observe_ExitsWith3_WhenNobodyAnswers()
    {
        var tool = await Tool.RunAsync("observe", "http://127.0.0.1:21992", "http://127.0.0.1:21991", "-s", "60");

        tool.ExitCode.ShouldBe(3);
        tool.Results.ShouldContain("http://127.0.0.1:21992");
        tool.Messages.ShouldContain("Nothing was observed");
    }

    [Theory]
    [InlineData("blocked.avg<5", 99)]
    [InlineData("name[GET /plain]:held.avg<300", 0)]
    [InlineData("pool.threads.max>1", 0)]
    [InlineData("name[GET /nowhere]:held.avg<300", 4)]
    public async Task Observe_ExitsAsTheThresholdSays(string threshold, int exitCode)
    {
        await using var server = await TestServer.StartWithReportAsync();

        (await Tool.RunAsync("observe", server.Url, "-s", "1", "--threshold", threshold)).ExitCode.ShouldBe(exitCode);
    }

    [Fact]
    public async Task ClientsThreshold_IsRefused_BeforeAnybodyIsAsked()
    {
        await using var server = await TestServer.StartWithReportAsync();

        var tool = await Tool.RunAsync("observe", server.Url, "--threshold", "p(95)<500");

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("held.avg");
        server.Report.Polls.ShouldBe(0);
    }

    [Fact]
    public async Task Files_AreWrittenInEveryForm_AndTheLiveLineWhereThereIsNoTerminal()
    {
        await using var server = await TestServer.StartWithReportAsync();
        using var folder = new TemporaryFolder();
        string[] files = [folder.File("o.json"), folder.File("o.html"), folder.File("o.md"), folder.File("o.xml")];
        server.Report.Mark = "<img src=x>";

        var tool = await Tool.RunAsync(
            ["observe", server.Url, "-s", "3", "--live", "--threshold", "blocked.avg<5",
                .. files.SelectMany(file => new[] { "-o", file })]);

        tool.ExitCode.ShouldBe(99, tool.Messages);
        tool.Messages.ShouldContain("threads blocked on average");
        ((string)JsonNode.Parse(File.ReadAllText(files[0]))!["kind"]!).ShouldBe("observation");
        File.ReadAllText(files[1]).ShouldNotContain("<img");
        File.ReadAllText(files[1]).ShouldContain("GET /plain");
        File.ReadAllText(files[2]).ShouldContain("| GET /plain");
        File.ReadAllText(files[2]).ShouldNotContain("<img");
        ((int)XDocument.Load(files[3]).Root!.Element("testsuite")!.Attribute("failures")!).ShouldBe(1);
    }
}
