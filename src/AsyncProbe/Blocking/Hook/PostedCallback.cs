using System.Runtime.CompilerServices;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// A continuation on its way through the pool. It runs once, in the pool or by <see cref="HopRescue"/>. It then releases its callback and
/// state, because the pool's queue may keep it for longer, and a continuation holds its request.
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

        // The two callbacks that the runtime posts bring their own context. Any other callback runs in the poster's, as with the default
        // context.
        _context = ReferenceEquals(callback, AwaitCallbacks.OfTask) || ReferenceEquals(callback, AwaitCallbacks.OfYield)
            ? null
            : ExecutionContext.Capture();
        IsFromPool = Thread.CurrentThread.IsThreadPoolThread;
    }

    public Timestamp PostedAt { get; }

    public bool IsFromPool { get; }

    /// <summary>The place in which <see cref="HopRescue"/> keeps it.</summary>
    public int Place { get; set; } = HopRescue.NoPlace;

    /// <summary>The next continuation that found no free place.</summary>
    public PostedCallback? Next { get; set; }

    public bool IsTaken => Volatile.Read(ref _isTaken) != 0;

    /// <summary>Queues a continuation where the runtime would queue it without the hook.</summary>
    /// <returns>False when the process is out of memory and couldn't queue it. Then the caller has to run it.</returns>
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
