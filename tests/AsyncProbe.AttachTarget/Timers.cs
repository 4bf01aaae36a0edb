using System.Collections.Concurrent;

namespace Shop;

/// <summary>Timers that captured the execution context of the request that started them, and never end.</summary>
internal static class Timers
{
    private static readonly ConcurrentBag<Timer> s_timers = [];
    private static long s_ticks;

    public static long Ticks => Volatile.Read(ref s_ticks);

    public static string Start()
    {
        s_timers.Add(new Timer(_ => Interlocked.Increment(ref s_ticks), null, 20, 20));
        return "started";
    }
}
