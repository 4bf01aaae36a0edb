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

    /// <summary>
    /// How long the thread waited at locks within the work that began then. Work begins on its thread before a wait or after it, never
    /// in the middle: a wait that ended later is counted whole, also where what tells of the work came late and its begin seems later.
    /// </summary>
    public Duration SumWithin(Timestamp beganAt)
    {
        var sum = Duration.Zero;
        foreach (var (endedAt, duration) in _last)
        {
            if (endedAt > beganAt)
            {
                sum += duration;
            }
        }

        return sum;
    }
}
