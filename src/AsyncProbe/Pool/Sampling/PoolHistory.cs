using AsyncProbe.Common;

namespace AsyncProbe.Pool.Sampling;

/// <summary>The pool during one second.</summary>
internal sealed record PoolSecond(
    DateTime At, int Threads, long Pending, int Busy, Duration QueueDelay, int? BlockedThreads, double CpuPercent)
{
    /// <summary>Requests that ended, per second; null for the first second.</summary>
    public double? RequestsPerSecond { get; init; }
}

/// <summary>A ring buffer of seconds with one writer, the watcher, and any number of readers.</summary>
internal sealed class PoolHistory(int seconds)
{
    private readonly PoolSecond?[] _ring = new PoolSecond?[seconds];
    private long _written;

    public void Add(PoolSecond second)
    {
        _ring[_written % _ring.Length] = second;
        Volatile.Write(ref _written, _written + 1);
    }

    /// <summary>The newest seconds, in chronological order.</summary>
    public List<PoolSecond> Read(int atMost)
    {
        var end = Volatile.Read(ref _written);
        var count = Math.Min(end, Math.Min(atMost, _ring.Length));
        List<PoolSecond> seconds = new((int)count);
        for (var i = end - count; i < end; i++)
        {
            if (_ring[i % _ring.Length] is { } second)
            {
                seconds.Add(second);
            }
        }

        return seconds;
    }
}
