namespace AsyncProbe.Sample.Jobs;

/// <summary>A hosted service that does one piece of work after another.</summary>
internal sealed class NightlyReport() : Job("nightly report")
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await foreach (var order in Orders.ReadAllAsync(stoppingToken))
        {
            await DoAsync(order, stoppingToken);
        }
    }

    protected override void Work(int ms) => Task.Delay(ms).Wait();

    protected override async Task WorkAsync(int ms, CancellationToken stop) => await Task.Delay(ms, stop);
}
