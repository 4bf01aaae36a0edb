using System.Text.Json;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Documents;

namespace AsyncProbe.Cli.Tests.Views;

/// <summary>Where two means of the same requests are on the screen, a sentence says why they differ; elsewhere it would only confuse.</summary>
[Trait("Category", "Logic")]
public class MeansTests
{
    private const string Endpoint = """{ "endpoint": "GET /a", "requests": 9, "blockedMs": { "total": 90, "mean": 10 } }""";
    private const string Advised =
        """{ "endpoint": "GET /a", "requests": 9, "blockedMs": { "total": 90, "mean": 10 }, "advice": "Await." }""";

    private const string Line = """{ "kind": "Lock", "at": "A.B", "count": 3, "blockedMs": { "total": 90, "mean": 30 } }""";

    [Theory]
    [InlineData(40)]
    [InlineData(60)]
    [InlineData(80)]
    [InlineData(140)]
    public void Run_ExplainsTheClientsMean_WhereItHasRoomForIt(int width)
    {
        var run = Facts.Run(100, server: Facts.Server(("GET /a", 1000, 10)));

        var text = Printed.Text(console => TerminalDocument.Write(RunDocument.Create(run), console), width);

        var figures = text.Split('\n').First(line => line.StartsWith("times in ms", StringComparison.Ordinal));
        Words(text).Contains(ServerText.ClientMeansLegend, StringComparison.Ordinal)
            .ShouldBe(figures.Contains(" mean", StringComparison.Ordinal));
    }

    [Fact]
    public void Run_ExplainsNoMean_WithoutAServer_OrWhereNoExplanationIsWanted()
    {
        Printed.Text(console => TerminalDocument.Write(RunDocument.Create(Facts.Run(100)), console)).ShouldNotContain(ServerText.ClientMeansLegend);
        Printed.Text(console => TerminalDocument.Write(RunDocument.Create(Facts.Run(100, server: Facts.Server(("GET /a", 1000, 10)))), console, isQuiet: true))
            .ShouldNotContain(ServerText.ClientMeansLegend);
    }

    [Theory]
    [InlineData(Endpoint, Line, true, false)]
    [InlineData(Endpoint, "", false, false)]
    [InlineData("", Line, false, false)]
    [InlineData(Advised, Line, true, true)]
    [InlineData(Advised, "", false, true)]
    public void State_ExplainsTheMeansOfLinesAndOfTheAdvice_WhereTheyAreShown(
        string endpoints, string sites, bool linesExplained, bool adviceExplained)
    {
        var server = ServerSnapshot.Read(
            JsonDocument.Parse($$"""{ "schema": 1, "pool": {}, "endpoints": [{{endpoints}}], "sites": [{{sites}}] }""").RootElement, 0)!;

        var text = Printed.Text(console => StateReport.Write(server, console));

        text.Contains(ServerText.LineMeansLegend, StringComparison.Ordinal).ShouldBe(linesExplained);
        text.Contains(ServerText.AdviceMeansLegend, StringComparison.Ordinal).ShouldBe(adviceExplained);
        Printed.Text(console => StateReport.Write(server, console, legend: false)).ShouldNotContain(ServerText.LineMeansLegend);
    }

    [Theory]
    [InlineData(1, true, "1 sample, 25.0 ms")]
    [InlineData(3, true, "3 samples, 25.0 ms")]
    [InlineData(3, false, "3 × 25.0 ms")]
    public void State_SaysThatASampledWaitTookLonger(int count, bool sampled, string line)
    {
        var seen = sampled ? "true" : "false";
        var site = $$"""{ "kind": "Sleep", "at": "A.B", "count": {{count}}, "sampled": {{seen}}, "blockedMs": { "mean": 25 } }""";
        var report = $$"""{ "schema": 1, "pool": {}, "sites": [{{site}}], "probe": { "detection": "always" } }""";
        var server = ServerSnapshot.Read(JsonDocument.Parse(report).RootElement, 0)!;

        var text = Printed.Text(console => StateReport.Write(server, console));

        text.ShouldContain(line);
        text.Contains(ServerText.SamplesLegend, StringComparison.Ordinal).ShouldBe(sampled);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Observation_ExplainsTheMeansOfLines_WhereTheyAreShown(bool hasLine)
    {
        ReplicaSide[] replicas =
        [
            new() { Name = "one", Seconds = 10, Requests = 1000, Server = Facts.Server(("GET /a", 1000, 10)) with { State = "healthy" } },
        ];
        var result = new ObservationResult
        {
            StartedAt = DateTimeOffset.UnixEpoch, Seconds = 10, Replicas = replicas, Endpoints = FleetMerge.Endpoints(replicas),
            Sites = !hasLine ? [] :
            [
                new() { Kind = "Lock", At = "A.B", Via = null, Replicas = 1, Count = 3, BlockedMs = new(90, 30, 40), BlockedThreads = 0.1,
                    Endpoints = ["GET /a"] },
            ],
        };

        Printed.Text(console => TerminalDocument.Write(ObservationDocument.Create(result), console))
            .Contains(ServerText.LineMeansLegend, StringComparison.Ordinal).ShouldBe(hasLine);
    }

    private static string Words(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
