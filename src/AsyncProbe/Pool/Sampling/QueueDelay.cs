using AsyncProbe.Common;

namespace AsyncProbe.Pool.Sampling;

/// <summary>
/// How long a work item waits for a pool thread, measured with our own item. While the item waits, its age counts, so that the figure rises
/// during a starvation and not only after it. A young item doesn't hide the last item's wait, or the figure of a steady delay would restart
/// at zero with every item.
/// </summary>
/// <param name="queue">Queues the item.</param>
internal sealed class QueueDelay(Action<IThreadPoolWorkItem> queue) : IThreadPoolWorkItem
{
    public QueueDelay()
        : this(static item => ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false))
    {
    }

    private Timestamp _queuedAt;
    private Duration _last;
    private Duration _maximum;
    private volatile bool _isWaiting;

    /// <summary>The current delay.</summary>
    public Duration Current
    {
        get
        {
            var last = Counter.Read(ref _last);
            return _isWaiting ? Duration.Max(last, Timestamp.Now() - Counter.Read(ref _queuedAt)) : last;
        }
    }

    /// <summary>Whether our own item is queued.</summary>
    public bool IsWaiting => _isWaiting;

    /// <summary>Records the current delay, and queues the next item unless one is waiting. Only for the watcher's thread.</summary>
    public Duration Measure()
    {
        var current = Current;
        _maximum = Duration.Max(_maximum, current);
        if (!_isWaiting)
        {
            Counter.Write(ref _queuedAt, Timestamp.Now());
            _isWaiting = true;
            Queue();
        }

        return current;
    }

    /// <summary>The largest delay since the last call.</summary>
    public Duration TakeMaximum()
    {
        var maximum = _maximum;
        _maximum = Duration.Zero;
        return maximum;
    }

    // An item that was never queued would age forever, and the pool would count as starved until the process ends.
    private void Queue()
    {
        var isQueued = false;
        try
        {
            queue(this);
            isQueued = true;
        }
        finally
        {
            _isWaiting &= isQueued;
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        Counter.Write(ref _last, Timestamp.Now() - Counter.Read(ref _queuedAt));
        _isWaiting = false;
    }
}
