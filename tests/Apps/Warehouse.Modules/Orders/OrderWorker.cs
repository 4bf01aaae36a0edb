namespace Warehouse.Modules.Orders;

internal sealed class OrderWorker(OrderQueue queue) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await foreach (var _ in queue.ReadAllAsync(stoppingToken))
        {
            Task.Delay(5, stoppingToken).Wait(stoppingToken);
        }
    }
}
