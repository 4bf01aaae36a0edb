using Microsoft.AspNetCore.SignalR;

namespace Warehouse.Modules.Live;

/// <summary>Does the same and awaits it.</summary>
internal sealed class QuietHub : Hub
{
    public async Task<int> Reserve(int count)
    {
        await Task.Delay(12);
        return count;
    }
}
