using AsyncProbe.Common;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Requests a second, calculated from a count that rises until a reset. Only for the watcher's thread.</summary>
internal sealed class RequestRate
{
    private long _count;
    private Timestamp _at;

    /// <param name="count">All requests so far.</param>
    /// <returns>Null on the first call.</returns>
    public double? Next(long count, Timestamp now)
    {
        var (more, since) = (count >= _count ? count - _count : count, now - _at);
        var isFirst = _at == default;
        (_count, _at) = (count, now);
        return isFirst || since <= Duration.Zero ? null : more / since.TotalSeconds;
    }
}
