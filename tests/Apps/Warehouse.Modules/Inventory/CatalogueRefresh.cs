namespace Warehouse.Modules.Inventory;

/// <summary>Blocks a pool thread repeatedly outside any request, so no endpoint may be charged with it.</summary>
internal sealed class CatalogueRefresh(Catalogue catalogue) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(150));
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            catalogue.Refresh();
        }
    }
}
