using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Reporting.Json;

/// <summary>Verdicts on endpoints with known behaviour, on a real server.</summary>
public sealed class VerdictsOfRequestsTests
{
    // Waiting for a task spins first, and on a crowded machine may spin until the task has ended.
    private static readonly ManualResetEvent s_never = new(false);

    // The stock templates once got "already async", because the mean of all durations included the first request's.
    [Fact]
    public async Task CodeWithoutAnAwait_IsNotAlreadyAsync_WhenItsFirstRequestsWereSlow()
    {
        var requests = 0;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/cold", () =>
        {
            if (Interlocked.Increment(ref requests) <= 3)
            {
                Thread.Sleep(200);
            }
        }));

        await app.GetManyAsync("/cold", 15);

        (await app.EndpointAsync("GET /cold", 15)).GetProperty("verdict").GetString().ShouldNotBe("alreadyAsync");
    }

    [Fact]
    public async Task CpuBehindAnAwait_IsCpuBound_InACrowdToo()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/spin", async () =>
        {
            await Task.Delay(1);
            var clock = Stopwatch.StartNew();
            while (clock.ElapsedMilliseconds < 20)
            {
            }
        }));

        // For at least a second: the watcher checks the queue ten times in that time.
        await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => app.GetManyAsync("/spin", 12)));

        var row = await app.EndpointAsync("GET /spin", 192);
        row.GetProperty("verdict").GetString().ShouldBe("cpuBound", row.ToString());
    }

    [Fact]
    public async Task AllowedWaits_AreFine_AndNotAvoidable()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.MapGet("/attribute", [AllowBlocking("legacy driver")] () => Thread.Sleep(20));
                a.MapGet("/scope", () =>
                {
                    using var allowed = BlockingScope.Allow("warming up");
                    Thread.Sleep(20);
                });
            },
            "Production",
            b => b.Configuration["AsyncProbe:AllowLocal"] = "true");
        foreach (var (path, reason) in new[] { ("/attribute", "legacy driver"), ("/scope", null) })
        {
            await app.GetManyAsync(path, 12);

            var row = await app.EndpointAsync("GET " + path, 12);
            row.GetProperty("verdict").GetString().ShouldBe("fine", row.ToString());
            var advice = row.GetProperty("advice").GetString()!;
            advice.ShouldContain("allowed");
            advice.Contains($"({reason ?? "legacy driver"})", StringComparison.Ordinal).ShouldBe(reason is not null);

            // Other tests cause collections at the same time, and for threads that sleep the pause counts as gc.
            (row.Ms("allowedMs") + row.Ms("gcMs")).ShouldBeGreaterThan(12 * 19, row.ToString());
            var recent = row.GetProperty("recent");
            recent.EnumerateObject().Select(p => p.Name).ShouldBe(
                ["requests", "heldMs", "cpuMs", "blockedMs", "allowedMs", "locksMs", "providerMs", "unclearMs", "unexplainedMs", "durationMs"]);
            recent.GetProperty("allowedMs").GetDouble().ShouldBeGreaterThan(10);
            var ceiling = row.GetProperty("ceilingPerSecond");
            ceiling.GetProperty("ifAsync").GetProperty("high").GetDouble()
                .ShouldBe(ceiling.GetProperty("now").GetProperty("high").GetDouble(), tolerance: 10);
        }
    }

    // The first requests include JIT time, and they promised a rate that was too low by a factor of two to five.
    [Fact]
    public async Task FirstRequests_GiveAVerdict_ButNoCeiling()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/waits", () => s_never.WaitOne(40)));
        await app.GetManyAsync("/waits", Verdicts.ColdRequests);

        var row = await app.EndpointAsync("GET /waits", Verdicts.ColdRequests);

        row.GetProperty("verdict").GetString().ShouldBe("asyncWillHelp", row.ToString());
        row.GetProperty("ceilingPerSecond").ValueKind.ShouldBe(JsonValueKind.Null);
    }

    // A false alarm in the past: waits are allowed here, and the request that stalled did not look like the only one.
    [Fact]
    public async Task AllowedWaits_AreFine_WhenOneRequestIsBlockedForLonger()
    {
        var isStalled = false;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/scope", () =>
        {
            using (BlockingScope.Allow("warming up"))
            {
                Thread.Sleep(5);
            }

            Thread.Sleep(Volatile.Read(ref isStalled) ? 300 : 0);
        }));
        await app.GetManyAsync("/scope", 16);
        Volatile.Write(ref isStalled, true);
        await app.GetManyAsync("/scope", 1);

        var row = await app.EndpointAsync("GET /scope", 17);

        // A stall of the machine may block others for a millisecond or two.
        row.GetProperty("blockedRequests").GetInt64().ShouldBeGreaterThanOrEqualTo(1, row.ToString());
        row.GetProperty("blockedSquaresMs2").GetDouble().ShouldBeGreaterThan(290 * 290, row.ToString());
        row.GetProperty("verdict").GetString().ShouldBe("fine", row.ToString());

        // The thread may sleep for longer than it asked for.
        var told = Regex.Match(row.GetProperty("advice").GetString()!, "One of the last .* ([0-9]+) ms");
        told.Success.ShouldBeTrue(row.ToString());
        int.Parse(told.Groups[1].Value, CultureInfo.InvariantCulture).ShouldBeGreaterThanOrEqualTo(290);
    }

    [Fact]
    public async Task Verdict_FollowsAChange_WhileTheTotalsStay()
    {
        var blocks = false;
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/changes", () => s_never.WaitOne(Volatile.Read(ref blocks) ? 20 : 0)));
        var intervals = app.Services.GetRequiredService<PoolIntervals>();
        await app.GetManyAsync("/changes", 1500);
        await app.EndpointAsync("GET /changes", 1500);
        EndInterval(intervals);
        Volatile.Write(ref blocks, true);
        for (var interval = 0; interval < 2; interval++)
        {
            await app.GetManyAsync("/changes", 25);
            await app.EndpointAsync("GET /changes", 1500 + (25 * (interval + 1)));
            EndInterval(intervals);
        }

        var row = await app.EndpointAsync("GET /changes", 1550);
        row.GetProperty("verdict").GetString().ShouldBe("asyncWillHelp", row.ToString());

        // Twenty, minus any pauses for collections; over all requests it would be less than one.
        row.GetProperty("recent").GetProperty("blockedMs").GetDouble().ShouldBeGreaterThan(10);
        row.Ms("blockedMs", "mean").ShouldBeLessThan(5);
    }

    // Does what the watcher's ticks do in five seconds.
    private static void EndInterval(PoolIntervals intervals)
    {
        for (var tick = 0; tick < 50; tick++)
        {
            intervals.OnTick(threads: 4, queueDelay: Duration.Zero);
        }
    }
}
