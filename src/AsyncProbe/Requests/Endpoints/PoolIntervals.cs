using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Ends the endpoints' intervals every few seconds, with what the pool was like meanwhile. Fed by the watcher alone; reports read the
/// interval that goes on.
/// </summary>
internal sealed class PoolIntervals(EndpointTable endpoints)
{
    private const int TicksPerInterval = 50;

    private int _ticks;
    private int _mostThreads;
    private long _delays;
    private long _begunAt = Nanoseconds.Now();
    private long _pausedBefore = ProcessClock.GcPauseNs();
    private double _gcShare;

    /// <summary>The interval that goes on.</summary>
    public PoolInterval Current => new(
        Volatile.Read(ref _mostThreads), Volatile.Read(ref _ticks) is > 0 and var ticks ? Volatile.Read(ref _delays) / ticks : 0, Volatile.Read(ref _gcShare));

    /// <summary>Ten times a second.</summary>
    /// <param name="threads">The pool's threads.</param>
    /// <param name="queueDelay">How long a work item waits for one, in nanoseconds.</param>
    public void OnTick(int threads, long queueDelay)
    {
        Volatile.Write(ref _mostThreads, Math.Max(_mostThreads, threads));
        Volatile.Write(ref _delays, _delays + queueDelay);
        Volatile.Write(ref _ticks, _ticks + 1);
        Volatile.Write(ref _gcShare, GcShareUntil(Nanoseconds.Now(), ProcessClock.GcPauseNs()));
        if (_ticks >= TicksPerInterval)
        {
            endpoints.CloseInterval(Current);
            Volatile.Write(ref _ticks, 0);
            Volatile.Write(ref _delays, 0);
            Volatile.Write(ref _mostThreads, threads);
            (_begunAt, _pausedBefore) = (Nanoseconds.Now(), ProcessClock.GcPauseNs());
        }
    }

    private double GcShareUntil(long now, long paused) => now <= _begunAt ? 0 : Math.Clamp((double)(paused - _pausedBefore) / (now - _begunAt), 0, 1);
}
