using System.Text.Json;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Tests.Sites;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class BaselineReaderTests
{
    private static readonly RunResult s_run = Facts.Run(
        40, server: Facts.Server(("GET /orders", 10, 10)) with { KnownSites = [Known.Site()] });

    private static readonly StateResult s_state = new() { Url = "http://x/", At = DateTimeOffset.UnixEpoch, KnownSites = [Known.Site()] };

    public static TheoryData<string> Saved { get; } =
    [
        JsonSerializer.Serialize(s_run, ResultJson.Readable.RunResult),
        JsonSerializer.Serialize(SweepResult.From([s_run, s_run]), ResultJson.Readable.SweepResult),
        JsonSerializer.Serialize(
            ComparisonBuilder.Build([("a", [s_run]), ("b", [s_run])], [], freshServer: false, interrupted: false),
            ResultJson.Readable.ComparisonResult),
        JsonSerializer.Serialize(s_state, ResultJson.Readable.StateResult),
        JsonSerializer.Serialize(
            new ObservationResult
            {
                StartedAt = DateTimeOffset.UnixEpoch,
                Seconds = 1,
                Replicas = [new ReplicaSide { Name = "a", Server = s_run.Server }],
            },
            ResultJson.Readable.ObservationResult),
        """{ "schema": 1, "pool": {}, "sites": [{ "kind": "Task.Wait", "at": "Orders.Load", "file": "Orders.cs", "line": 1, "endpoints": ["GET /orders"] }] }""",
    ];

    [Theory]
    [MemberData(nameof(Saved))]
    public void Baseline_IsReadFromEveryResult(string json)
    {
        var baseline = Read(json);

        baseline.FindNew([Known.Site()]).ShouldBeEmpty();
        baseline.FindNew([Known.Site("Orders.Save")]).Count.ShouldBe(1);
    }

    [Fact]
    public void Baseline_IsRefusedWithASentence()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Sites/BaselineErrors");
        foreach (var json in (string[])
        [
            "[]", "{}", """{ "schema": 2, "kind": "run" }""",
            """{ "schema": 1, "kind": "run", "server": { "status": "off", "knownSites": [] } }""",
        ])
        {
            texts.Add(json, Should.Throw<SessionException>(() => Read(json)).Message);
        }

        texts.ShouldBeApproved();
    }

    [Fact]
    public void Baseline_MayHoldNoSite() =>
        Read("""{ "schema": 1, "kind": "run", "server": { "status": "joined", "knownSites": [] } }""")
            .FindNew([Known.Site()]).Count.ShouldBe(1);

    private static Baseline Read(string json)
    {
        using var document = JsonDocument.Parse(json);
        return BaselineReader.Read("old.json", document.RootElement);
    }
}
