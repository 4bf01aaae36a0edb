namespace AsyncProbe.Starvation.Tests;

/// <summary>A pool that is starved for real by work alone. It takes all cores, so nothing runs beside it.</summary>
public sealed class CpuTests
{
    [Fact]
    public async Task Log_SaysCpu_AndNeverBlocked_ForALoop()
    {
        await using var server = await WarmServer.StartAsync("/cpu?ms=5", "--AsyncProbe:StarvedThreshold=00:00:00.200");
        await using (new Load(server.Address, "/cpu?ms=300", WarmServer.Connections))
        {
            await server.LineAsync("The thread pool is starved, cause cpu");
            await Task.Delay(TimeSpan.FromSeconds(5));
        }

        server.Output.ShouldNotContain("cause blocked");
        server.Output.ShouldContain("More threads will not help");
    }
}
