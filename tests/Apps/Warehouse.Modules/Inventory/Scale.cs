namespace Warehouse.Modules.Inventory;

internal static class Scale
{
    public static uint Weigh(int rounds)
    {
        var sum = 17u;
        for (var i = 0; i < rounds; i++)
        {
            sum = (sum * 31) ^ (uint)i;
        }

        return sum;
    }
}
