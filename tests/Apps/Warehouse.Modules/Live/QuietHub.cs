using Microsoft.AspNetCore.SignalR;

namespace Warehouse.Modules.Live;

/// <summary>The same as <see cref="StockHub"/>, but awaited.</summary>
internal sealed class QuietHub : Hub
{
    public async Task<int> Reserve(int count)
    {
        await Task.Delay(12);
        return count;
    }
}
