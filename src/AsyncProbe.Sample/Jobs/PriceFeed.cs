namespace AsyncProbe.Sample.Jobs;

/// <summary>A timer that looks for prices at every tick. It ticks only while somebody asks for them.</summary>
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
