namespace Bookshop.Services;

public sealed class Stock : IDisposable
{
    private readonly Lock _till = new();
    private readonly SemaphoreSlim _shelf = new(1);
    private uint _taken = 17;

    public void Take()
    {
        lock (_till) // blocks: till
        {
            for (var i = 0; i < 4_000_000; i++)
            {
                _taken = (_taken * 31) ^ (uint)i;
            }
        }
    }

    public void Reserve()
    {
        _shelf.Wait(); // blocks: shelf
        try
        {
            Task.Delay(5).Wait(); // blocks: shelf-work
        }
        finally
        {
            _shelf.Release();
        }
    }

    public async Task ReserveAsync()
    {
        await _shelf.WaitAsync();
        try
        {
            await Task.Delay(5);
        }
        finally
        {
            _shelf.Release();
        }
    }

    public void Dispose() => _shelf.Dispose();
}
