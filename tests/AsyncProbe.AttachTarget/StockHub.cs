using Microsoft.AspNetCore.SignalR;

namespace Shop;

public sealed class StockHub : Hub
{
    public string Read()
    {
        Waits.Load(30).Wait(); // blocks: StockHub.Read
        return "hub";
    }
}
