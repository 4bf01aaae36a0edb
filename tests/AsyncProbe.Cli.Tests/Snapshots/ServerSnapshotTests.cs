using System.Text.Json;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Tests.Snapshots;

[Trait("Category", "Logic")]
public class ServerSnapshotTests
{
    // The command assembles the history from many answers, so after a restart it also has moments of the process before.
    [Fact]
    public void History_IsThatOfTheProcess_SinceTheEarlierSnapshot()
    {
        var before = Snapshot("2026-01-01T10:00:00Z", upMs: 60_000);
        var same = Snapshot("2026-01-01T10:00:00Z", upMs: 180_000, "2026-01-01T10:00:30Z", "2026-01-01T10:02:00Z");
        var restarted = Snapshot("2026-01-01T10:01:40Z", upMs: 60_000, "2026-01-01T10:01:30Z", "2026-01-01T10:02:00Z");

        Seconds(same.HistorySince(null)).ShouldBe([30, 120]);
        Seconds(same.HistorySince(before)).ShouldBe([120]);
        Seconds(restarted.HistorySince(before)).ShouldBe([120]);
    }

    private static IEnumerable<double> Seconds(IEnumerable<PoolMoment> moments) =>
        moments.Select(moment => moment.At!.Value.TimeOfDay.TotalSeconds - 36_000);

    private static ServerSnapshot Snapshot(string startedAt, int upMs, params string[] moments)
    {
        var history = string.Join(',', moments.Select(at => $$"""{ "at": "{{at}}" }"""));
        using var json = JsonDocument.Parse($$"""
            { "schema": 1, "process": { "startedAt": "{{startedAt}}", "uptimeMs": {{upMs}} }, "pool": { "history": [{{history}}] } }
            """);
        return ServerSnapshot.Read(json.RootElement, 0)!;
    }
}
