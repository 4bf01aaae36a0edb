namespace AsyncProbe.Sample.Jobs;

/// <summary>Consumes a channel, with up to 64 orders at once: enough to starve a pool if each holds a thread.</summary>
internal sealed class OrderConsumer() : Job("order")
{
    private const int AtOnce = 64;

    protected override Task ExecuteAsync(CancellationToken stoppingToken) => Parallel.ForEachAsync(
        Orders.ReadAllAsync(stoppingToken),
        new ParallelOptions { MaxDegreeOfParallelism = AtOnce, CancellationToken = stoppingToken },
        async (order, stop) => await DoAsync(order, stop));

    protected override void Work(int ms) => Task.Delay(ms).Wait();

    protected override async Task WorkAsync(int ms, CancellationToken stop) => await Task.Delay(ms, stop);
}
