using Microsoft.AspNetCore.SignalR;

namespace Warehouse.Modules.Live;

/// <summary>Sends a message to all listeners from time to time, and blocks while it does.</summary>
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
