using System.Text.Json;

namespace AsyncProbe.Starvation.Tests;

/// <summary>What the log says about a pool that stays starved and about one that has recovered, each in its own process.</summary>
[SideBySide]
public sealed class EpisodeTests
{
    [Fact]
    public async Task Log_SaysItAgain_EveryTenSeconds_WhileItLasts()
    {
        string[] said = ["The thread pool is starved", "location unknown (Thread.Sleep, file I/O or native code)"];
        await using var server = await WarmServer.StartAsync("/sleep?ms=5", "--environment", "Development", "--max-workers", "4");
        await using var load = new Load(server.Address, "/sleep?ms=500", WarmServer.Connections);

        // The line with all the details, and then the same line again.
        await Eventually.TrueAsync(() => Task.FromResult(server.TimesOf(said).Count >= 1), "not said once");
        await Eventually.TrueAsync(() => Task.FromResult(server.TimesOf(said).Count >= 2), "not said again");

        // These are the times at which this process read the lines, on shared cores. PoolStateLoggerTests check the ten seconds
        // exactly.
        var times = server.TimesOf(said);
        (times[1] - times[0]).ShouldBeGreaterThan(TimeSpan.FromSeconds(5));
        server.TimesOf("The thread pool is starved").Count.ShouldBeLessThanOrEqualTo(6);
        SinceStarved(server).ShouldNotContain("recovered after");
    }

    [Fact]
    public async Task History_ShowsTheEpisode_OnceItIsOver()
    {
        await using var server = await WarmServer.StartAsync("/sleep?ms=5");
        await using (new Load(server.Address, "/sleep?ms=500", WarmServer.Connections))
        {
            await server.LineAsync("The thread pool is starved");
        }

        await Eventually.TrueAsync(
            () => Task.FromResult(SinceStarved(server).Contains("The thread pool recovered after", StringComparison.Ordinal)),
            "not healthy again");
        SinceStarved(server).ShouldContain("longest queue delay");

        var pool = (await server.ReportAsync()).GetProperty("pool");
        pool.GetProperty("state").GetString().ShouldBe("healthy");
        pool.GetProperty("cause").GetString().ShouldBe("none");
        pool.GetProperty("advice").ValueKind.ShouldBe(JsonValueKind.Null);
        var seconds = pool.GetProperty("history").EnumerateArray().ToList();
        seconds.Max(s => s.GetProperty("queueDelayMs").GetDouble()).ShouldBeGreaterThanOrEqualTo(500);
        seconds.Max(s => s.GetProperty("blockedThreads").GetInt32()).ShouldBeGreaterThan(1);
    }

    // A slow start may have caused some queueing before.
    private static string SinceStarved(ServerProcess server)
    {
        var text = server.Output;
        return text[text.IndexOf("The thread pool is starved", StringComparison.Ordinal)..];
    }
}
