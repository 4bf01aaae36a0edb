using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Pool.Sampling;

/// <summary>Reads the pool's figures once a tick. Only for the watcher's thread.</summary>
internal sealed class PoolSampler(int ticksPerSecond)
{
    // If our own thread sleeps for five ticks instead of one, the pool isn't the cause.
    private const int LateTicks = 5;

    private readonly Duration _lateAfter = LateTicks * Duration.Second / ticksPerSecond;
    private readonly QueueDelay _queueDelay = new();
    private readonly ProcessClock _clock = new(ticksPerSecond);
    private Timestamp _lastAt = Timestamp.Now();
    private long _lastCompleted = -1;
    private Timestamp _movedAt;

    public PoolSample Take()
    {
        var now = Timestamp.Now();
        var isLate = now - _lastAt > _lateAfter;
        _lastAt = now;

        // Count before queueing our own item, and leave it out if it is still waiting, or an idle pool would never show 0.
        var pending = Math.Max(0, ThreadPool.PendingWorkItemCount - (_queueDelay.IsWaiting ? 1 : 0));
        var completed = ThreadPool.CompletedWorkItemCount;
        if (completed != _lastCompleted || pending == 0 || isLate)
        {
            (_lastCompleted, _movedAt) = (completed, now);
        }

        var delay = _queueDelay.Measure();

        // A thread may be added between the two readings, and a pool whose threads are all busy must not look as if one were idle.
        var threads = ThreadPool.ThreadCount;
        ThreadPool.GetAvailableThreads(out var available, out _);
        ThreadPool.GetMinThreads(out var minimum, out _);
        ThreadPool.GetMaxThreads(out var maximum, out _);
        var busy = maximum - available;
        return new PoolSample(DateTime.UtcNow, Math.Max(threads, busy), pending, completed, busy, delay, delay)
        {
            TakenAt = now,
            Unclaimed = Math.Max(0, busy - ThreadSlots.CountClaimed()),
            Load = _clock.Tick(),
            MinimumThreads = minimum,
            MaximumThreads = maximum,
            StuckFor = now - _movedAt,
            IsLate = isLate,
        };
    }

    public Duration TakeMaximum() => _queueDelay.TakeMaximum();
}
