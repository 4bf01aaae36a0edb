using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// A continuation on its way over the pool: run once, by the pool or by <see cref="HopRescue"/>, whoever comes first. It lets go of what it
/// has run: the queue of those that are watched keeps some for longer, and a continuation holds its request.
/// </summary>
internal sealed class PostedCallback : IThreadPoolWorkItem
{
    private SendOrPostCallback? _callback;
    private object? _state;

    // As the default context does: what is posted runs in the poster's execution context.
    private ExecutionContext? _context = ExecutionContext.Capture();
    private int _isTaken;

    public PostedCallback(SendOrPostCallback callback, object? state, Timestamp postedAt)
    {
        _callback = callback;
        _state = state;
        PostedAt = postedAt;
    }

    public Timestamp PostedAt { get; }

    public bool IsTaken => Volatile.Read(ref _isTaken) != 0;

    public void Execute()
    {
        if (Interlocked.Exchange(ref _isTaken, 1) != 0)
        {
            return;
        }

        var context = _context;
        _context = null;
        if (context is null)
        {
            Invoke();
        }
        else
        {
            ExecutionContext.Run(context, static work => ((PostedCallback)work!).Invoke(), this);
        }
    }

    private void Invoke()
    {
        var (callback, state) = (_callback!, _state);
        (_callback, _state) = (null, null);
        callback(state);
    }
}
