using System.Text.Json;

namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>Snapshots of a starved or deadlocked server in its own process.</summary>
[SideBySide]
public sealed class ProcessTests
{
    [Fact]
    public async Task Starvation_NamesTheLineThatSleeps()
    {
        await using var server = await SnapshotProcess.StartAsync("--max-workers", "4");

        await using (new Load(server.Address, "/sleep?ms=3000", 12))
        {
            (await server.LineAsync("are blocked in GET /sleep at Program.Main (Program.cs:")).ShouldContain("cause blocked");
            await server.LineAsync("A stack snapshot saw GET /sleep block a pool thread for ");
        }

        server.Output.ShouldNotContain("nothing can finish");
    }

    // One in ten once took as long as a work item waits, because the client used at the time sometimes waited for a pool thread.
    [Fact]
    public async Task Snapshots_NeedNoPoolThread()
    {
        const int Count = 30;
        await using var server = await SnapshotProcess.StartAsync("--max-workers", "4", "--AsyncProbe:StackSnapshots:Interval=01:00:00");

        var costs = JsonDocument.Parse(await server.TextAsync($"/take-snapshots-starved?n={Count}")).RootElement;

        costs.GetProperty("ms").GetArrayLength().ShouldBe(Count);
        costs.GetProperty("threads").GetInt32().ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Deadlock_OfTwoEndpoints_IsNamedWhileItLasts()
    {
        await using var server = await SnapshotProcess.StartAsync("--min-workers", "8");
        _ = server.Client.GetAsync(new Uri("/deadlock/first", UriKind.Relative));
        _ = server.Client.GetAsync(new Uri("/deadlock/second", UriKind.Relative));

        Dictionary<string, string?> now = [];
        await Eventually.TrueAsync(
            async () =>
            {
                now = (await server.ReportAsync()).GetProperty("now").EnumerateArray()
                    .ToDictionary(n => n.GetProperty("endpoint").GetString()!, n => n.GetProperty("at").GetString());
                return now.Count == 2 && now.Values.All(at => at is not null);
            },
            "the deadlock has no name");
        var sites = (await server.ReportAsync()).GetProperty("sites").EnumerateArray().ToList();

        now["GET /deadlock/first"]!.ShouldMatch(@"^Deadlock\.First \(Deadlock\.cs:\d+\)$");
        now["GET /deadlock/second"]!.ShouldMatch(@"^Deadlock\.Second \(Deadlock\.cs:\d+\)$");
        sites.Select(s => s.GetProperty("kind").GetString()).ShouldBe(["Lock", "Lock"]);
        sites.ShouldAllBe(s => s.GetProperty("sampled").GetBoolean());
    }
}
