using System.Runtime.CompilerServices;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// A continuation on its way over the pool: run once, by the pool or by <see cref="HopRescue"/>. It lets go of what it
/// has run, because the pool's queue may keep it for longer, and a continuation holds its request.
/// </summary>
internal sealed class PostedCallback : IThreadPoolWorkItem
{
    private SendOrPostCallback? _callback;
    private object? _state;
    private ExecutionContext? _context;
    private int _isTaken;

    public PostedCallback(SendOrPostCallback callback, object? state, Timestamp postedAt)
    {
        (_callback, _state, PostedAt) = (callback, state, postedAt);

        // The two that the runtime posts bring their own context. Anything else runs in the poster's, as with the default context.
        _context = ReferenceEquals(callback, AwaitCallbacks.OfTask) || ReferenceEquals(callback, AwaitCallbacks.OfYield)
            ? null
            : ExecutionContext.Capture();
        IsFromPool = Thread.CurrentThread.IsThreadPoolThread;
    }

    public Timestamp PostedAt { get; }

    public bool IsFromPool { get; }

    /// <summary>Where <see cref="HopRescue"/> keeps it.</summary>
    public int Place { get; set; } = HopRescue.NoPlace;

    /// <summary>The next continuation that found all its places taken.</summary>
    public PostedCallback? Next { get; set; }

    public bool IsTaken => Volatile.Read(ref _isTaken) != 0;

    /// <summary>Queues a continuation where the runtime would queue it without the hook.</summary>
    /// <returns>False when the process lacks the memory to queue it. Then the caller has to run it.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryQueue(SendOrPostCallback callback, object? state)
    {
        PostedCallback? work = null;
        try
        {
            work = new PostedCallback(callback, state, Timestamp.Now());
            HopRescue.Watch(work);
            ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: ReferenceEquals(callback, AwaitCallbacks.OfTask));
            return true;
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            return work is not null && !work.TryTake();
        }
    }

    public void Execute()
    {
        if (!TryTake())
        {
            return;
        }

        HopRescue.Forget(this);
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

    private bool TryTake() => Interlocked.Exchange(ref _isTaken, 1) == 0;

    private void Invoke()
    {
        var (callback, state) = (_callback!, _state);
        (_callback, _state) = (null, null);
        callback(state);
    }
}
