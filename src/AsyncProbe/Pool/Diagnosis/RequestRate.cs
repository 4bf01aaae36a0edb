using AsyncProbe.Common;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Requests a second, from a count that only rises and is set back by a reset. For the watcher's thread alone.</summary>
internal sealed class RequestRate
{
    private long _count;
    private long _at = -1;

    /// <param name="count">All requests so far.</param>
    /// <param name="now">In nanoseconds.</param>
    /// <returns>Null the first time.</returns>
    public double? Next(long count, long now)
    {
        var (more, since) = (count >= _count ? count - _count : count, now - _at);
        var isFirst = _at < 0;
        (_count, _at) = (count, now);
        return isFirst || since <= 0 ? null : more * (double)Nanoseconds.PerSecond / since;
    }
}
