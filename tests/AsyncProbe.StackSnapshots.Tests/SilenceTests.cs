using System.Text.Json;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Blocked time that is allowed or explained needs no name from a snapshot.</summary>
public sealed class SilenceTests
{
    [Fact]
    public async Task Sleep_IsCountedUnderItsReason_InAnAllowedScope()
    {
        using var end = new ManualResetEventSlim();
        await using var app = await SnapshotApp.StartAsync(a => a.MapGet("/held", () =>
        {
            using (BlockingScope.Allow("the device needs it"))
            {
                Sleeper.UntilSet(end);
            }
        }));
        var held = app.GetAsync("/held");

        await app.Client.FindAsync("GET /held");
        end.Set();
        (await held).Dispose();

        (await app.SitesAsync("GET /held")).ShouldHaveSingleItem().GetProperty("allowed").GetString().ShouldBe("the device needs it");
        app.Log.All.ShouldNotContain(l => l.Id.Id == 15);
    }

    [Fact]
    public async Task Snapshot_IsNotTaken_WhileTheHookExplainsTheWaits()
    {
        await using var app = await SnapshotApp.StartAsync(
            a =>
            {
                a.MapGet("/waits", () => Waiting.ForTask(300));
                a.MapGet("/awaits", () => Task.Delay(300));
            },
            configure: b => b.Configuration["AsyncProbe:StackSnapshots:Interval"] = "00:00:01");

        // Until the first waits end, it isn't known that they will be explained. The next snapshot would be due after that.
        await Eventually.TrueAsync(
            async () =>
            {
                await app.GetManyAsync("/waits", 1);
                await app.GetManyAsync("/awaits", 1);
                return (await app.EndpointAsync("GET /waits")).GetProperty("explained") is { ValueKind: JsonValueKind.Number } explained
                    && explained.GetDouble() >= 0.95;
            },
            "the hook does not explain the waits");
        await Task.Delay(TimeSpan.FromSeconds(1.5));
        var taken = await TakenAsync(app);
        await app.GetManyAsync("/waits", 5);
        await app.GetManyAsync("/awaits", 5);

        (await TakenAsync(app)).ShouldBe(taken);
    }

    private static async Task<long> TakenAsync(ProbedApp app) =>
        (await app.ReportAsync()).GetProperty("probe").GetProperty("snapshots").Count("taken");
}
