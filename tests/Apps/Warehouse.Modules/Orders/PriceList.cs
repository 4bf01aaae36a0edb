namespace Warehouse.Modules.Orders;

internal sealed record PriceList(int Total)
{
    public static async Task<PriceList> LoadAsync()
    {
        await Task.Delay(12);
        return new PriceList(42);
    }
}
