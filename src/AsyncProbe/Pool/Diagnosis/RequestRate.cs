using AsyncProbe.Common;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Requests a second, from a count that only rises and is set back by a reset. For the watcher's thread alone.</summary>
internal sealed class RequestRate
{
    private long _count;
    private Timestamp _at;

    /// <param name="count">All requests so far.</param>
    /// <param name="now">The present.</param>
    /// <returns>Null the first time.</returns>
    public double? Next(long count, Timestamp now)
    {
        var (more, since) = (count >= _count ? count - _count : count, now - _at);
        var isFirst = _at == default;
        (_count, _at) = (count, now);
        return isFirst || since <= Duration.Zero ? null : more / since.TotalSeconds;
    }
}
