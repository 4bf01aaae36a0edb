using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Waits shorter than a snapshot takes, and segments that wait at several places.</summary>
public sealed class ShortWaitTests
{
    [Fact]
    public async Task Snapshot_FindsSleeps_ThatAreOverBeforeItEnds()
    {
        await using var app = await SnapshotApp.StartAsync(
            a => a.MapGet("/nap", () => Thread.Sleep(150)), configure: b => b.Configuration["AsyncProbe:Detection"] = "Off");
        using var end = new CancellationTokenSource();
        var clients = Enumerable.Range(0, 6).Select(async _ =>
        {
            while (!end.IsCancellationRequested)
            {
                (await app.GetAsync("/nap")).Dispose();
            }
        }).ToList();
        await app.EndpointAsync("GET /nap", 12);

        // On a crowded machine the sampler may get no turn in its five milliseconds.
        List<JsonElement> found = [];
        await Eventually.TrueAsync(
            async () =>
            {
                found = [.. (await app.Client.TakeAsync()).GetProperty("found").EnumerateArray()];
                return found.Count > 0;
            },
            "no snapshot found a sleep");

        await end.CancelAsync();
        await Task.WhenAll(clients).WaitAsync(ProbedApp.Timeout);

        found.ShouldAllBe(f => f.GetProperty("kind").GetString() == "Sleep" && f.GetProperty("endpoint").GetString() == "GET /nap");
        (await app.SitesAsync("GET /nap")).ShouldHaveSingleItem().GetProperty("sampled").GetBoolean().ShouldBeTrue();
    }

    [Fact]
    public async Task Sleep_IsNotCharged_ForAnEarlierOneOfItsSegment()
    {
        var (first, second, longest, secondSince) = (0.0, 0.0, 0.0, 0L);
        await using var app = await SnapshotApp.StartAsync(
            a => a.MapGet("/twice", () =>
            {
                var since = Stopwatch.GetTimestamp();
                Thread.Sleep(1500);
                first += Stopwatch.GetElapsedTime(since).TotalMilliseconds;
                since = Stopwatch.GetTimestamp();
                Volatile.Write(ref secondSince, since);
                Thread.Sleep(1500);
                Volatile.Write(ref secondSince, 0);
                var slept = Stopwatch.GetElapsedTime(since).TotalMilliseconds;
                second += slept;
                longest = Math.Max(longest, slept);
            }),
            configure: b => b.Configuration["AsyncProbe:Detection"] = "Off");
        var (requests, found) = (0, default(JsonElement));

        // On a crowded machine the snapshot may come after the second sleep. Then look at another request.
        await Eventually.TrueAsync(
            async () =>
            {
                var held = app.GetAsync("/twice");
                requests++;
                while (!held.IsCompleted && found.ValueKind == JsonValueKind.Undefined)
                {
                    var isInSecond = Volatile.Read(ref secondSince) is not 0 and var since
                        && Stopwatch.GetElapsedTime(since).TotalMilliseconds > 300;
                    found = isInSecond ? (await app.Client.TakeAsync()).GetProperty("found").EnumerateArray().FirstOrDefault() : default;
                    await Task.Delay(20);
                }

                (await held).Dispose();
                return found.ValueKind == JsonValueKind.Object;
            },
            "no snapshot sees the second sleep");
        await app.EndpointAsync("GET /twice", requests);

        found.GetProperty("heldMs").GetDouble().ShouldBeGreaterThan(1500);
        var sites = await app.SitesAsync("GET /twice");
        var blocked = sites.Single(s => s.GetProperty("line").GetInt32() == found.GetProperty("line").GetInt32()).GetProperty("blockedMs");
        blocked.GetProperty("total").GetDouble().ShouldBeInRange(50, second + 10);
        blocked.GetProperty("max").GetDouble().ShouldBeLessThan(longest + 10);

        // The watcher may have taken its own snapshot during the first one.
        sites.Sum(s => s.GetProperty("blockedMs").GetProperty("total").GetDouble()).ShouldBeLessThan(first + second + 10);
    }
}
