using Microsoft.AspNetCore.SignalR;

namespace Warehouse.Modules.Live;

internal sealed class StockHub : Hub
{
    public int Reserve(int count)
    {
        ReserveAsync().Wait(); // blocks: hub
        return count;
    }

    private static async Task ReserveAsync() => await Task.Delay(12);
}
