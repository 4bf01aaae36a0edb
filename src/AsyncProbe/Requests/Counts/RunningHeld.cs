using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>
/// Held time outside of the counted requests: from requests that are still running, and from requests that were counted before all of their
/// held time was known. It moves to the counted requests when its request ends, and a reader must see it exactly once. Writers never wait;
/// the reader tries again.
/// </summary>
internal sealed class RunningHeld
{
    // A change takes nanoseconds, and there are few. A thread that lost its core in the middle of a change needs the core back, but the
    // reader doesn't wait long.
    private const int LooksAtOnce = 20;
    private const int MostLooks = 1000;

    private readonly EndpointCell _held = new();
    private long _begun;
    private long _ended;

    public Duration Cpu => _held.Time(Figure.Cpu);

    /// <summary>Begins a change. Nothing between this call and <c>End</c> may throw.</summary>
    public void Begin() => Interlocked.Increment(ref _begun);

    /// <summary>Adds new time, or subtracts (with negative figures) time that is now counted elsewhere.</summary>
    public void Add(HeldSplit split) => _held.AddHeld(split);

    public void End() => Interlocked.Increment(ref _ended);

    public void AddTo(ref RequestSums sums, ref LongestTimes longest) => _held.AddTo(ref sums, ref longest);

    /// <summary>Returns the result of a <paramref name="look"/> during which nothing changed.</summary>
    public T Read<T>(Func<T> look)
    {
        for (var looks = 1; ; looks++)
        {
            var (ended, begun) = (Volatile.Read(ref _ended), Volatile.Read(ref _begun));
            var seen = look();
            if ((ended == begun && Volatile.Read(ref _begun) == begun) || looks == MostLooks)
            {
                return seen;
            }

            if (looks > LooksAtOnce)
            {
                Thread.Yield();
            }
        }
    }
}
