using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// One thread's most recent waits for locks. When a longer piece of work ends, they show how much of it was spent on locks.
/// </summary>
internal sealed class RecentLocks
{
    // If a command waits for more locks than this, the first of them count as part of the command.
    private const int Most = 8;

    private readonly (Timestamp EndedAt, Duration Duration)[] _last = new (Timestamp, Duration)[Most];
    private int _next;

    public void Add(Timestamp endedAt, Duration duration)
    {
        _last[_next] = (endedAt, duration);
        _next = (_next + 1) % Most;
    }

    /// <summary>
    /// How long the thread waited for locks within work that began at a given time. Work begins before or after a wait on its thread, never
    /// during one. So a wait that ended later counts in full, even if the event about the work came late and the work seems to have begun
    /// during the wait.
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
