namespace AsyncProbe.Common;

/// <summary>What <see cref="Interlocked"/> lacks.</summary>
internal static class Counter
{
    /// <summary>One more, if there are fewer than the limit.</summary>
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

    /// <summary>Raises a maximum that others raise too.</summary>
    public static void Raise(ref long maximum, long value)
    {
        var seen = Volatile.Read(ref maximum);
        while (value > seen)
        {
            var before = Interlocked.CompareExchange(ref maximum, value, seen);
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }
}
