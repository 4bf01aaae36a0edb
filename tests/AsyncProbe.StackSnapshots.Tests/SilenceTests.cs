using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>What only looks like blocking, and what is allowed, must not be named.</summary>
public sealed class SilenceTests
{
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(2);

    public static TheoryData<string> TwinNames() => [.. Twins.Keys];

    private static Dictionary<string, Func<Task>> Twins { get; } = new()
    {
        ["awaited delay"] = () => Task.Delay(s_long),
        ["sleep of nothing"] = () => Burn(() => Thread.Sleep(0)),
        ["cpu"] = () => Burn(() => Thread.SpinWait(1000)),
        ["short native calls"] = () => Burn(() => _ = Environment.WorkingSet),
        ["dedicated thread"] = () =>
        {
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            new Thread(() =>
            {
                Thread.Sleep(s_long);
                done.SetResult();
            }).Start();
            return done.Task;
        },
    };

    [Theory]
    [MemberData(nameof(TwinNames))]
    public async Task Twin_StaysSilent(string name)
    {
        await using var app = await SnapshotApp.StartAsync(a => a.MapGet("/twin", () => Twins[name]()));

        var twin = app.GetAsync("/twin");
        List<JsonElement> found = [];
        while (!twin.IsCompleted)
        {
            found.AddRange((await app.Client.TakeAsync()).GetProperty("found").EnumerateArray());
        }

        (await twin).EnsureSuccessStatusCode();
        found.ShouldBeEmpty();
        (await app.SitesAsync("GET /twin")).ShouldBeEmpty();
    }

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

        // Before the first ones end nobody knows that they will be explained. Then the next snapshot would be due.
        await Eventually.TrueAsync(
            async () =>
            {
                await app.GetManyAsync("/waits", 1);
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

    private static Task Burn(Action step)
    {
        var watch = Stopwatch.StartNew();
        while (watch.Elapsed < s_long)
        {
            step();
        }

        return Task.CompletedTask;
    }
}
