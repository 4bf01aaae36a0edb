using Microsoft.AspNetCore.SignalR;

namespace Warehouse.Modules.Live;

/// <summary>Tells all listeners every now and then, and blocks over it.</summary>
internal sealed class StockTicker(IHubContext<QuietHub> hub) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(100));
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            hub.Clients.All.SendAsync("tick", cancellationToken: stoppingToken).Wait(stoppingToken);
            Thread.Sleep(15);
        }
    }
}
