using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>One thread's last waits at locks, so that who ends a longer piece of work can tell how much of it they were.</summary>
internal sealed class RecentLocks
{
    // Where a command waits at more locks than these, the first of them count as the command.
    private const int Most = 8;

    private readonly (Timestamp EndedAt, Duration Duration)[] _last = new (Timestamp, Duration)[Most];
    private int _next;

    public void Add(Timestamp endedAt, Duration duration)
    {
        _last[_next] = (endedAt, duration);
        _next = (_next + 1) % Most;
    }

    /// <summary>How long the thread waited at locks since then.</summary>
    public Duration SumSince(Timestamp since)
    {
        var sum = Duration.Zero;
        foreach (var (endedAt, duration) in _last)
        {
            if (endedAt > since)
            {
                sum += Duration.Min(duration, endedAt - since);
            }
        }

        return sum;
    }
}
