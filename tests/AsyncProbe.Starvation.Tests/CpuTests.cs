namespace AsyncProbe.Starvation.Tests;

/// <summary>A pool that is really starved, only by CPU work. It uses all cores, so nothing else runs at the same time.</summary>
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

        // Other processes may have the cores, and then it says so.
        server.Output.ShouldContain(
            server.Output.Contains("because others have them", StringComparison.Ordinal)
                ? "and neither will async"
                : "Neither more threads nor async");
    }
}
