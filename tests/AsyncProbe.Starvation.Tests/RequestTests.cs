namespace AsyncProbe.Starvation.Tests;

/// <summary>Pools that are really starved by requests that block, each in its own process.</summary>
[SideBySide]
public sealed class RequestTests
{
    [Fact]
    public async Task Log_SaysWhoBlocks_WhileThePoolIsStarved()
    {
        await using var server = await WarmServer.StartAsync("/task-wait?ms=5", "--environment", "Development");
        await using var load = new Load(server.Address, "/task-wait?ms=1000", WarmServer.Connections);

        var line = await server.LineAsync("The thread pool is starved, cause blocked");

        line.ShouldContain("GET /task-wait");
        line.ShouldContain("are blocked in requests and do nothing");

        // A moment after a wait, a thread may be idle.
        await server.LineAsync("lets the pool grow at once: restart with DOTNET_ThreadPool_ForceMinWorkerThreads=");

        // The hook names a wait once it has lasted a second, so this comes with the next line.
        var named = await server.LineAsync("are blocked in GET /task-wait at Program.");
        named.ShouldContain("(Program.cs:");
    }

    [Fact]
    public async Task Log_SaysThatTheLocationIsUnknown_ForThreadSleep()
    {
        await using var server = await WarmServer.StartAsync("/sleep?ms=5", "--environment", "Development");
        await using var load = new Load(server.Address, "/sleep?ms=1000", WarmServer.Connections);

        await server.LineAsync("The thread pool is starved, cause blocked");
        var line = await server.LineAsync("location unknown (Thread.Sleep, file I/O or native code)");

        line.ShouldContain("are blocked in GET /sleep");
    }

    [Fact]
    public async Task Log_SaysDeadlock_WhenAllThreadsOfACappedPoolWaitForOne()
    {
        await using var server = await WarmServer.StartAsync("/plain", "--max-workers", "16");
        await using var load = new Load(server.Address, "/task-wait?ms=200", 32);

        var line = await server.LineAsync("The thread pool is starved, cause deadlock");

        line.ShouldContain("All 16 threads wait for work that needs a pool thread");
        line.ShouldContain("raise it from 16");
    }
}
