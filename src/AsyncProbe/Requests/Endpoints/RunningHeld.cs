using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Held time that belongs to no counted request: of those that last, and of those that were counted before all of it had come in. It moves
/// to the counted ones when its request ends, and a reader must see it once. Writers never wait; the reader looks again.
/// </summary>
internal sealed class RunningHeld
{
    // A change takes nanoseconds, and there are few. A thread that lost its core in the middle of one needs it back, but nobody waits for
    // long.
    private const int LooksAtOnce = 20;
    private const int MostLooks = 1000;

    private readonly EndpointCell _held = new();
    private long _begun;
    private long _ended;

    public Duration Cpu => Counter.Read(ref _held.Cpu);

    /// <summary>Begins a change. Nothing may come between it and its end that can throw.</summary>
    public void Begin() => Interlocked.Increment(ref _begun);

    /// <summary>Adds what is new, or takes back with negative figures what is counted elsewhere now.</summary>
    public void Add(HeldSplit split) => _held.AddHeld(split);

    public void End() => Interlocked.Increment(ref _ended);

    public void AddTo(EndpointCell sum) => _held.AddTo(sum);

    /// <summary>What <paramref name="look"/> sees while nothing changes.</summary>
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
