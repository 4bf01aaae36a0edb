namespace Bookshop.Services;

public sealed class Basket
{
    public Basket() => Items = LoadAsync().Result; // blocks: basket

    public int Items { get; }

    private static async Task<int> LoadAsync()
    {
        await Task.Delay(15);
        return 3;
    }
}
