using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Code that only looks as if it blocks must not be named.</summary>
[SideBySide]
public sealed class TwinTests
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
