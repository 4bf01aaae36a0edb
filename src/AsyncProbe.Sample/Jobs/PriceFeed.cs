namespace AsyncProbe.Sample.Jobs;

/// <summary>Fetches prices at every tick of a timer. It ticks only while a route asks for prices.</summary>
internal sealed class PriceFeed() : Job("price feed")
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(50);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (await Orders.WaitToReadAsync(stoppingToken))
        {
            using var timer = new PeriodicTimer(s_period);
            while (Orders.TryRead(out var order))
            {
                await timer.WaitForNextTickAsync(stoppingToken);
                await DoAsync(order, stoppingToken);
            }
        }
    }

    protected override void Work(int ms) => Task.Delay(ms).Wait();

    protected override async Task WorkAsync(int ms, CancellationToken stop) => await Task.Delay(ms, stop);
}
