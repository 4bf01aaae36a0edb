namespace Bookshop.Services;

public sealed class Recommender
{
    public async Task<string[]> ForAsync(int id)
    {
        await Task.Delay(15);
        return [$"Book {id + 1}", $"Book {id + 2}"];
    }
}
