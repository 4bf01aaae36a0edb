using System.Globalization;

namespace AsyncProbe.Starvation.Tests;

/// <summary>Pools that are really starved by operations, each in its own process.</summary>
[SideBySide]
public sealed class OperationTests
{
    // By the server's own clock, from the first job that blocks to the line that names them. benchmarks/starvation-told measures the three
    // seconds that we aim for; here it only has to be long before the jobs end, because the cores are shared.
    [Theory]
    [InlineData("timer", "price feed")]
    [InlineData("consumer", "order")]
    [InlineData("service", "import")]
    public async Task Log_NamesTheOperation_WhenWorkThatIsNoRequestStarvesThePool(string kind, string operation)
    {
        await using var server = await WarmServer.StartAsync("/plain", "--environment", "Development");
        server.Start($"/occupy-operations?kind={kind}&count=100&ms=500&seconds=60");

        // It may be logged while work only queues; a later line then says that the pool is starved.
        await server.LineAsync($"are blocked in AsyncProbe: {operation}");
        await server.LineAsync("The thread pool is starved, cause blocked");

        var told = await server.LineAsync("told after ");
        double.Parse(told.Split(' ')[^2], CultureInfo.InvariantCulture).ShouldBeLessThan(15_000, "the jobs block for 60 s");
    }
}
