namespace AsyncProbe.Requests;

/// <summary>
/// Time in which the whole process stood still: stopped by a signal, frozen with its container, or suspended with its machine. Told from
/// the watcher, which ticks ten times a second and then did not. No request is to blame for it.
/// </summary>
internal static class ProcessStops
{
    /// <summary>A gap between two ticks from which the process counts as stopped; a crowded machine delays the watcher for less.</summary>
    private const long StoppedFrom = 600 * Nanoseconds.PerMillisecond;
    private const long Tick = 100 * Nanoseconds.PerMillisecond;

    private static long s_total;
    private static long s_lastTickAt;
    private static long s_lastGcPause;

    /// <summary>How long the process stood still until now since the start, in nanoseconds.</summary>
    /// <param name="now">The present. After a stop a request's thread may look before the watcher does.</param>
    /// <param name="gcPause">Time that the garbage collector has paused the process; the watcher stands still then as well.</param>
    public static long Until(long now, long gcPause)
    {
        var last = Volatile.Read(ref s_lastTickAt);
        return Volatile.Read(ref s_total) + (last == 0 ? 0 : Gap(now - last - (gcPause - Volatile.Read(ref s_lastGcPause))));
    }

    /// <summary>Called by the watcher's thread alone.</summary>
    /// <param name="now">The present.</param>
    /// <param name="gcPause">As above.</param>
    public static void OnTick(long now, long gcPause)
    {
        var gap = s_lastTickAt == 0 ? 0 : Gap(now - s_lastTickAt - (gcPause - s_lastGcPause));
        Volatile.Write(ref s_lastGcPause, gcPause);
        Volatile.Write(ref s_total, s_total + gap);
        Volatile.Write(ref s_lastTickAt, now);
    }

    /// <summary>The watcher ends; until the next one there is nobody to tell.</summary>
    public static void OnWatcherEnded() => Volatile.Write(ref s_lastTickAt, 0);

    private static long Gap(long elapsed) => elapsed >= StoppedFrom ? elapsed - Tick : 0;
}
