using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Pool.Sampling;

/// <summary>
/// Ends the endpoints' intervals every few seconds, and passes on what the pool was like during each. Only the watcher feeds it; reports
/// read the current interval.
/// </summary>
internal sealed class PoolIntervals(EndpointTable endpoints)
{
    private const int TicksPerInterval = 50;

    private int _ticks;
    private int _mostThreads;
    private Duration _delays;

    /// <summary>The current interval.</summary>
    public PoolInterval Current => new(
        Volatile.Read(ref _mostThreads),
        Volatile.Read(ref _ticks) is > 0 and var ticks ? Counter.Read(ref _delays) / ticks : Duration.Zero);

    /// <summary>Called ten times a second.</summary>
    /// <param name="threads">The number of pool threads.</param>
    /// <param name="queueDelay">How long a work item currently waits for a thread.</param>
    public void OnTick(int threads, Duration queueDelay)
    {
        Volatile.Write(ref _mostThreads, Math.Max(_mostThreads, threads));
        Counter.Write(ref _delays, _delays + queueDelay);
        Volatile.Write(ref _ticks, _ticks + 1);
        if (_ticks >= TicksPerInterval)
        {
            endpoints.CloseInterval(Current);
            Volatile.Write(ref _ticks, 0);
            Counter.Write(ref _delays, Duration.Zero);
            Volatile.Write(ref _mostThreads, threads);
        }
    }
}
