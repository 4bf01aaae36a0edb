namespace Warehouse.Modules.Orders;

internal static class Label
{
    /// <summary>Still runs after the response.</summary>
    public static void Print() => Thread.Sleep(25); // blocks: label
}
