namespace Warehouse.Modules.Inventory;

public sealed class Catalogue
{
    private readonly object _gate = new();
    private readonly Lazy<string[]> _articles = new(() => [.. Enumerable.Range(1, 20).Select(i => $"A{i:000}")]);
    private int _counts;

    public IReadOnlyList<string> Articles => _articles.Value;

    /// <summary>Every caller counts, one at a time.</summary>
    public string Count()
    {
        lock (_gate) // blocks: count
        {
            _counts++;
            Scale.Weigh(4_000_000);
            return "20";
        }
    }

    public string ReadSlowly()
    {
        Thread.Sleep(12); // blocks: file
        return "read";
    }

    public void Refresh()
    {
        // Blocks for long, and belongs to no request.
        Task.Delay(40).Wait();
        Thread.Sleep(20);
    }
}
