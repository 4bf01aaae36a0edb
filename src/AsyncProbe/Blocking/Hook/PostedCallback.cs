namespace AsyncProbe.Blocking.Hook;

/// <summary>A continuation on its way over the pool: run once, by the pool or by <see cref="HopRescue"/>, whoever comes first.</summary>
internal sealed class PostedCallback(SendOrPostCallback callback, object? state, long postedAt) : IThreadPoolWorkItem
{
    // As the default context does: what is posted runs in the poster's execution context.
    private readonly ExecutionContext? _context = ExecutionContext.Capture();
    private int _isTaken;

    public long PostedAt { get; } = postedAt;

    public bool IsTaken => Volatile.Read(ref _isTaken) != 0;

    public void Execute()
    {
        if (Interlocked.Exchange(ref _isTaken, 1) != 0)
        {
            return;
        }

        if (_context is null)
        {
            callback(state);
        }
        else
        {
            ExecutionContext.Run(_context, static work => ((PostedCallback)work!).Invoke(), this);
        }
    }

    private void Invoke() => callback(state);
}
