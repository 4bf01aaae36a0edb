namespace AsyncProbe.Requests;

/// <summary>What <see cref="Interlocked"/> lacks.</summary>
internal static class Counter
{
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
