using System.Threading.Channels;

namespace Warehouse.Modules.Orders;

internal sealed class OrderQueue
{
    private readonly Channel<string> _orders = Channel.CreateUnbounded<string>();

    public ValueTask AddAsync(string order) => _orders.Writer.WriteAsync(order);

    public IAsyncEnumerable<string> ReadAllAsync(CancellationToken cancellationToken) => _orders.Reader.ReadAllAsync(cancellationToken);
}
