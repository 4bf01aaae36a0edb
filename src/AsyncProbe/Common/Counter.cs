using System.Runtime.CompilerServices;

namespace AsyncProbe.Common;

/// <summary>Operations that <see cref="Interlocked"/> lacks.</summary>
internal static class Counter
{
    /// <summary>Adds one if the count is below the limit.</summary>
    public static bool TryRaise(ref int count, int limit)
    {
        var seen = Volatile.Read(ref count);
        while (seen < limit)
        {
            var before = Interlocked.CompareExchange(ref count, seen + 1, seen);
            if (before == seen)
            {
                return true;
            }

            seen = before;
        }

        return false;
    }

    /// <summary>Raises a maximum that other threads may raise at the same time.</summary>
    public static void Raise(ref Duration maximum, Duration value)
    {
        var seen = Read(ref maximum);
        while (value > seen)
        {
            var before = Duration.FromNanoseconds(Interlocked.CompareExchange(ref Raw(ref maximum), Raw(value), Raw(seen)));
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }

    public static void Add(ref Duration sum, Duration more) => Interlocked.Add(ref Raw(ref sum), Raw(more));

    /// <summary>Adds to a sum in nanoseconds.</summary>
    public static void Add(ref long nanoseconds, Duration more) => Interlocked.Add(ref nanoseconds, Raw(more));

    public static Duration Read(ref Duration value) => Duration.FromNanoseconds(Volatile.Read(ref Raw(ref value)));

    public static void Write(ref Duration target, Duration value) => Volatile.Write(ref Raw(ref target), Raw(value));

    /// <summary>Returns the sum and resets it to zero.</summary>
    public static Duration Take(ref Duration sum) => Duration.FromNanoseconds(Interlocked.Exchange(ref Raw(ref sum), 0));

    public static Timestamp Read(ref Timestamp moment) => Unsafe.BitCast<long, Timestamp>(Volatile.Read(ref Raw(ref moment)));

    public static void Write(ref Timestamp target, Timestamp moment) => Volatile.Write(ref Raw(ref target), Raw(moment));

    /// <summary>Replaces a moment that was read before; false if another thread was faster.</summary>
    public static bool TryReplace(ref Timestamp target, Timestamp seen, Timestamp moment) =>
        Interlocked.CompareExchange(ref Raw(ref target), Raw(moment), Raw(seen)) == Raw(seen);

    // Both types are a single 64-bit number, so a reader never sees a partial change.
    private static ref long Raw(ref Duration value) => ref Unsafe.As<Duration, long>(ref value);

    private static ref long Raw(ref Timestamp moment) => ref Unsafe.As<Timestamp, long>(ref moment);

    private static long Raw(Duration value) => Unsafe.BitCast<Duration, long>(value);

    private static long Raw(Timestamp moment) => Unsafe.BitCast<Timestamp, long>(moment);
}
