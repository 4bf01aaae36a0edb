using System.Globalization;

namespace AsyncProbe.Starvation.Tests;

/// <summary>Pools that are starved for real by operations, each in a process of its own.</summary>
[SideBySide]
public sealed class OperationTests
{
    // By the server's own clock, from the first job that blocks to the line that names them. benchmarks/starvation-told measures the three
    // seconds that we want; here it only has to be long before the jobs end, on cores that all share.
    [Theory]
    [InlineData("timer", "price feed")]
    [InlineData("consumer", "order")]
    [InlineData("service", "import")]
    public async Task Log_NamesTheOperation_WhenWorkThatIsNoRequestStarvesThePool(string kind, string operation)
    {
        await using var server = await WarmServer.StartAsync("/plain", "--environment", "Development");
        server.Start($"/occupy-operations?kind={kind}&count=100&ms=500&seconds=60");

        // It may be told while work only queues; what follows then says that the pool is starved.
        await server.LineAsync($"are blocked in AsyncProbe: {operation}");
        await server.LineAsync("The thread pool is starved, cause blocked");

        var told = await server.LineAsync("told after ");
        double.Parse(told.Split(' ')[^2], CultureInfo.InvariantCulture).ShouldBeLessThan(15_000, "the jobs block for 60 s");
    }
}
