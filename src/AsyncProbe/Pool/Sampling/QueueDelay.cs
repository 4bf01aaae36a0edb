using AsyncProbe.Common;

namespace AsyncProbe.Pool.Sampling;

/// <summary>
/// How long a work item waits for a pool thread, measured with an item of our own. While the item waits its age counts, so that the figure
/// speaks during a starvation and not after it; but a young item does not hide what the last one waited, or the figure of a steady delay
/// would start from nothing again with every item.
/// </summary>
internal sealed class QueueDelay : IThreadPoolWorkItem
{
    private long _queuedAt;
    private long _last;
    private long _maximum;
    private volatile bool _isWaiting;

    /// <summary>The present delay in nanoseconds.</summary>
    public long Current
    {
        get
        {
            var last = Volatile.Read(ref _last);
            return _isWaiting ? Math.Max(last, Nanoseconds.Now() - Volatile.Read(ref _queuedAt)) : last;
        }
    }

    /// <summary>Whether our item is among those that wait.</summary>
    public bool IsWaiting => _isWaiting;

    /// <summary>Notes the present delay and sends the next item if none waits. For the watcher's thread alone.</summary>
    public long Measure()
    {
        var current = Current;
        _maximum = Math.Max(_maximum, current);
        if (!_isWaiting)
        {
            Volatile.Write(ref _queuedAt, Nanoseconds.Now());
            _isWaiting = true;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        return current;
    }

    /// <summary>The largest delay since the last call.</summary>
    public long TakeMaximum()
    {
        var maximum = _maximum;
        _maximum = 0;
        return maximum;
    }

    void IThreadPoolWorkItem.Execute()
    {
        Volatile.Write(ref _last, Nanoseconds.Now() - Volatile.Read(ref _queuedAt));
        _isWaiting = false;
    }
}
