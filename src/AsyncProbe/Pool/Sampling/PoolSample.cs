using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Pool.Sampling;

/// <summary>The thread pool as the watcher last saw it.</summary>
internal sealed record PoolSample(
    DateTime At, int Threads, long Pending, long Completed, int Busy, Duration QueueDelay, Duration QueueDelayMax)
{
    /// <summary>When it was taken, for intervals. A user may set the clock that <see cref="At"/> comes from.</summary>
    public Timestamp TakenAt { get; init; }

    /// <summary>The load of the process in the last second.</summary>
    public ProcessLoad Load { get; init; }

    public int MinimumThreads { get; init; }

    public int MaximumThreads { get; init; } = int.MaxValue;

    /// <summary>Busy threads that run neither a request nor an operation.</summary>
    public int Unclaimed { get; init; }

    /// <summary>How long no work item has completed although some wait.</summary>
    public Duration StuckFor { get; init; }

    /// <summary>
    /// Whether the watcher itself was late, because the process stood still or a logger blocked it. Then this delay says nothing about the
    /// pool.
    /// </summary>
    public bool IsLate { get; init; }
}
