using System.Globalization;
using System.Text.Json;

namespace AsyncProbe.Starvation.Tests;

/// <summary>Pools that are starved for real, each in a process of its own.</summary>
public sealed class StarvationTests
{
    private const int Connections = 100;

    [Fact]
    public async Task Log_SaysWhoBlocks_WhileThePoolIsStarved()
    {
        await using var server = await StartWarmAsync("/task-wait?ms=5", "--environment", "Development");
        await using var load = new Load(server.Address, "/task-wait?ms=1000", Connections);

        var line = await server.LineAsync("The thread pool is starved, cause blocked");

        line.ShouldContain("GET /task-wait");
        line.ShouldContain("are blocked in requests and do nothing");
        line.ShouldContain("lets the pool grow at once: restart with DOTNET_ThreadPool_ForceMinWorkerThreads=");

        // The hook names a wait after a second of it, so this comes with the next line.
        var named = await server.LineAsync("are blocked in GET /task-wait at Program.");
        named.ShouldContain("(Program.cs:");
    }

    [Fact]
    public async Task Log_SaysThatTheLocationIsUnknown_ForThreadSleep()
    {
        await using var server = await StartWarmAsync("/sleep?ms=5", "--environment", "Development");
        await using var load = new Load(server.Address, "/sleep?ms=1000", Connections);

        await server.LineAsync("The thread pool is starved, cause blocked");
        var line = await server.LineAsync("location unknown (Thread.Sleep, file I/O or native code)");

        line.ShouldContain("are blocked in GET /sleep");
    }

    // Nobody's work: neither a request nor an operation.
    [Fact]
    public async Task Log_SaysThatNoRequestHoldsTheThreads_WhenBackgroundWorkStarvesThePool()
    {
        await using var server = await StartWarmAsync("/plain", "--environment", "Development");
        using var started = await server.Client.GetAsync(new Uri("/occupy?items=200&ms=500&seconds=20", UriKind.Relative));

        var line = await server.LineAsync("The thread pool is starved, cause blocked");

        line.ShouldContain("run neither a request nor an operation, and ");
        line.ShouldContain("AsyncProbeOperation.Start");
        line.ShouldNotContain("are blocked in");
    }

    // The page asks the lifeline while the pool is starved, and shows this sentence.
    [Fact]
    public async Task Lifeline_SaysThatNoRequestHoldsTheThreads_WhileBackgroundWorkStarvesThePool()
    {
        var port = FreePort.Take();
        await using var server = await StartWarmAsync("/plain", "--environment", "Development", "--AsyncProbe:LifelinePort", $"{port}");
        using var lifeline = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        using var started = await server.Client.GetAsync(new Uri("/occupy?items=200&ms=500&seconds=30", UriKind.Relative));

        JsonElement pool = default;
        await Eventually.TrueAsync(
            async () =>
            {
                using var report = JsonDocument.Parse(await lifeline.GetStringAsync(new Uri("/", UriKind.Relative)));
                pool = report.RootElement.GetProperty("pool").Clone();
                return pool.GetProperty("state").GetString() == "starved"
                    && pool.GetProperty("unclaimed").GetProperty("busy").GetInt32() > 1
                    && pool.GetProperty("advice").GetString()?.Contains("run neither a request nor an operation", StringComparison.Ordinal) == true;
            },
            () => $"the lifeline says {pool}");
    }

    [Fact]
    public async Task Log_NamesTheLine_WhereBackgroundWorkStarvesThePool_WithStackSnapshots()
    {
        await using var server = await StartWarmAsync("/plain", "--environment", "Development", "--snapshots", "true");
        using var started = await server.Client.GetAsync(new Uri("/occupy?items=200&ms=500&seconds=25", UriKind.Relative));

        var line = await server.LineAsync("most of those that were looked at are at Occupation.Execute (Occupation.cs:");

        line.ShouldContain("run neither a request nor an operation");
    }

    // By the server's own clock, from the first job that blocks to the line that names them. benchmarks/starvation-told measures the three
    // seconds that we want; here it only has to be long before the jobs end, on cores that all share.
    [Theory]
    [InlineData("timer", "price feed")]
    [InlineData("consumer", "order")]
    [InlineData("service", "import")]
    public async Task Log_NamesTheOperation_WhenWorkThatIsNoRequestStarvesThePool(string kind, string operation)
    {
        await using var server = await StartWarmAsync("/plain", "--environment", "Development");
        using var started = await server.Client.GetAsync(
            new Uri($"/occupy-operations?kind={kind}&count=100&ms=500&seconds=60", UriKind.Relative));

        // It may be told while work only queues; what follows then says that the pool is starved.
        await server.LineAsync($"are blocked in AsyncProbe: {operation}");
        await server.LineAsync("The thread pool is starved, cause blocked");

        var told = await server.LineAsync("told after ");
        double.Parse(told.Split(' ')[^2], CultureInfo.InvariantCulture).ShouldBeLessThan(15_000, "the jobs block for 60 s");
    }

    [Fact]
    public async Task Log_SaysItAgain_EveryTenSeconds_WhileItLasts()
    {
        string[] said = ["The thread pool is starved", "location unknown (Thread.Sleep, file I/O or native code)"];
        await using var server = await StartWarmAsync("/sleep?ms=5", "--environment", "Development", "--max-workers", "4");
        await using var load = new Load(server.Address, "/sleep?ms=500", Connections);

        // The line that tells all there is to tell, and then the same again.
        await Eventually.TrueAsync(() => Task.FromResult(server.TimesOf(said).Count >= 1), "not said once");
        await Eventually.TrueAsync(() => Task.FromResult(server.TimesOf(said).Count >= 2), "not said again");

        // The times are those at which this process read the lines, on cores that all share. PoolStateLoggerTests have the ten seconds
        // exactly.
        var times = server.TimesOf(said);
        (times[1] - times[0]).ShouldBeGreaterThan(TimeSpan.FromSeconds(5));
        server.TimesOf("The thread pool is starved").Count.ShouldBeLessThanOrEqualTo(6);
        SinceStarved(server).ShouldNotContain("recovered after");
    }

    [Fact]
    public async Task Log_SaysCpu_AndNeverBlocked_ForALoop()
    {
        await using var server = await StartWarmAsync("/cpu?ms=5", "--AsyncProbe:StarvedThreshold=00:00:00.200");
        await using (new Load(server.Address, "/cpu?ms=300", Connections))
        {
            await server.LineAsync("The thread pool is starved, cause cpu");
            await Task.Delay(TimeSpan.FromSeconds(5));
        }

        server.Output.ShouldNotContain("cause blocked");
        server.Output.ShouldContain("More threads will not help");
    }

    [Fact]
    public async Task Log_SaysDeadlock_WhenAllThreadsOfACappedPoolWaitForOne()
    {
        await using var server = await StartWarmAsync("/plain", "--max-workers", "16");
        await using var load = new Load(server.Address, "/task-wait?ms=200", 32);

        var line = await server.LineAsync("The thread pool is starved, cause deadlock");

        line.ShouldContain("All 16 threads wait for work that needs a pool thread");
        line.ShouldContain("raise it from 16");
    }

    [Fact]
    public async Task History_ShowsTheEpisode_OnceItIsOver()
    {
        await using var server = await StartWarmAsync("/sleep?ms=5");
        await using (new Load(server.Address, "/sleep?ms=500", Connections))
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

    // A slow start may have queued a little before.
    private static string SinceStarved(ServerProcess server)
    {
        var text = server.Output;
        return text[text.IndexOf("The thread pool is starved", StringComparison.Ordinal)..];
    }

    private static async Task<ServerProcess> StartWarmAsync(string path, params string[] arguments)
    {
        var server = await ServerProcess.StartAsync(arguments);
        for (var i = 0; i < 3; i++)
        {
            await server.Client.GetAsync(new Uri(path, UriKind.Relative));
        }

        return server;
    }
}
