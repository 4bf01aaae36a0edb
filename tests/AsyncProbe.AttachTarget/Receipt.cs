namespace Shop;

/// <summary>Blocks when the request's services are disposed, after the response.</summary>
internal sealed class Receipt : IDisposable
{
    public int Number { get; } = 7;

    public void Dispose() => Thread.Sleep(30); // blocks: /dispose
}
