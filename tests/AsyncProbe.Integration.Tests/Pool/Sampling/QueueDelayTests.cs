using System.Globalization;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Pool.Sampling;

public sealed class QueueDelayTests
{
    [Fact]
    public async Task QueueDelay_AgreesWithDelaysMeasuredFromOutside()
    {
        // 64 items of 20 ms on 8 threads: an item waits for 7 or 8 others.
        await using var server = await ServerProcess.StartAsync("--max-workers", "8", "--environment", "Development");
        await server.Client.GetAsync(new Uri("/occupy?items=64&ms=20&seconds=60", UriKind.Relative));
        await server.Client.GetAsync(new Uri("/queue-delays?ms=500", UriKind.Relative));

        var outside = OutsideAsync(server);
        List<double> figures = [];
        while (!outside.IsCompleted)
        {
            figures.Add((await server.ReportAsync()).GetProperty("pool").GetProperty("queueDelayMs").GetDouble());
        }

        var expected = await outside;
        expected.ShouldBeGreaterThan(100);
        // Compare medians: a long stall of the machine affects only a few of the other figures.
        figures.Order().ElementAt(figures.Count / 2)
            .ShouldBe(expected, 0.2 * expected, $"the watcher's figures: {string.Join(", ", figures)}");
    }

    [Fact]
    public async Task QueueDelay_FallsAtOnce_WhenThePoolIsFreeAgain()
    {
        await using var server = await ServerProcess.StartAsync("--max-workers", "4", "--environment", "Development");
        await using (new Load(server.Address, "/sleep?ms=200", 40))
        {
            await server.LineAsync("The thread pool is starved");
        }

        // The queue empties first; then two ticks are enough.
        var delay = 0.0;
        await Eventually.TrueAsync(
            async () =>
            {
                using var response = await server.Client.GetAsync(new Uri("/plain", UriKind.Relative));
                return (delay = response.Number("X-ThreadPool-Queue-Delay-Ms")) <= 50;
            },
            () => $"the delay is still {delay} ms");
    }

    private static async Task<double> OutsideAsync(ServerProcess server)
    {
        var text = await server.Client.GetStringAsync(new Uri("/queue-delays?ms=4000", UriKind.Relative));
        return double.Parse(text, CultureInfo.InvariantCulture);
    }
}
