using System.Globalization;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Pool.Sampling;

/// <summary>The thread pool as the watcher last saw it, with the texts that every response header needs.</summary>
internal sealed record PoolSample(
    DateTime At, int Threads, long Pending, long Completed, int Busy, Duration QueueDelay, Duration QueueDelayMax)
{
    /// <summary>What the process did in the last second.</summary>
    public ProcessLoad Load { get; init; }

    public int MinimumThreads { get; init; }

    public int MaximumThreads { get; init; } = int.MaxValue;

    /// <summary>Busy threads that run neither a request nor an operation.</summary>
    public int Unclaimed { get; init; }

    /// <summary>For how long no work item has ended although some wait.</summary>
    public Duration StuckFor { get; init; }

    /// <summary>
    /// Whether the watcher itself came late: the process stood still, or a logger kept it, so that this delay says nothing about the pool.
    /// </summary>
    public bool IsLate { get; init; }

    public string ThreadsText { get; } = Threads.ToString(CultureInfo.InvariantCulture);

    public string PendingText { get; } = Pending.ToString(CultureInfo.InvariantCulture);

    public string QueueDelayText { get; } = Tenths.Format(QueueDelay);
}
