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
    public async Task FirstSnapshot_FindsSleeps_ThatAreOverBeforeItsMethodsHaveNames()
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

        var answer = await app.Client.TakeAsync();
        await end.CancelAsync();
        await Task.WhenAll(clients).WaitAsync(ProbedApp.Timeout);

        var found = answer.GetProperty("found").EnumerateArray().ToList();
        found.ShouldNotBeEmpty();
        found.ShouldAllBe(f => f.GetProperty("kind").GetString() == "Sleep" && f.GetProperty("endpoint").GetString() == "GET /nap");
        (await app.SitesAsync("GET /nap")).ShouldHaveSingleItem().GetProperty("sampled").GetBoolean().ShouldBeTrue();
    }

    [Fact]
    public async Task Sleep_IsNotCharged_ForAnEarlierOneOfItsSegment()
    {
        var (first, second) = (0.0, 0.0);
        await using var app = await SnapshotApp.StartAsync(
            a => a.MapGet("/twice", () =>
            {
                var since = Stopwatch.GetTimestamp();
                Thread.Sleep(1500);
                first = Stopwatch.GetElapsedTime(since).TotalMilliseconds;
                since = Stopwatch.GetTimestamp();
                Thread.Sleep(1500);
                second = Stopwatch.GetElapsedTime(since).TotalMilliseconds;
            }),
            configure: b => b.Configuration["AsyncProbe:Detection"] = "Off");
        var held = app.GetAsync("/twice");
        await Eventually.TrueAsync(
            async () => (await app.ReportAsync()).GetProperty("now").EnumerateArray().Any(n => n.GetProperty("heldMs").GetDouble() > 1800),
            "the second sleep was not seen");

        var found = (await app.Client.TakeAsync()).GetProperty("found").EnumerateArray().ShouldHaveSingleItem();
        (await held).Dispose();
        await app.EndpointAsync("GET /twice");

        found.GetProperty("heldMs").GetDouble().ShouldBeGreaterThan(1500);
        var sites = await app.SitesAsync("GET /twice");
        Total(sites, found.GetProperty("line").GetInt32()).ShouldBeInRange(50, second + 10);

        // The watcher may have asked of itself during the first.
        sites.Sum(s => s.GetProperty("blockedMs").GetProperty("total").GetDouble()).ShouldBeLessThan(first + second + 10);
    }

    private static double Total(JsonElement[] sites, int line) =>
        sites.Single(s => s.GetProperty("line").GetInt32() == line).GetProperty("blockedMs").GetProperty("total").GetDouble();
}
