using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// Time during which the whole process stood still: stopped by a signal, frozen with its container, or suspended with its machine. The
/// watcher detects it: it pauses for a tenth of a second, and the process was stopped if the pause took a whole one. Requests must not be
/// charged for this time.
/// </summary>
internal static class ProcessStops
{
    /// <summary>The shortest pause that counts as a stop; a crowded machine delays the watcher by less.</summary>
    private static Duration StoppedFrom => Duration.Second;

    private static Duration Tick => Duration.FromMilliseconds(100);

    // A watcher that is ending may tick once more when the next watcher has already started.
    private static readonly Lock s_writing = new();

    // A single object, so that a reader never sees a partial change.
    private static State s_state = new(Duration.Zero, default, Duration.Zero);

    /// <summary>How long the process has stood still since it started.</summary>
    /// <param name="now">The current time. After a stop, a request's thread may check before the watcher does.</param>
    /// <param name="gcPause">How long the garbage collector has paused the process. The watcher is paused then as well.</param>
    public static Duration Until(Timestamp now, Duration gcPause) => Volatile.Read(ref s_state).Until(now, gcPause);

    /// <summary>Called when the watcher is about to pause.</summary>
    /// <param name="gcPause">As for <see cref="Until"/>.</param>
    public static void OnPause(Timestamp now, Duration gcPause)
    {
        lock (s_writing)
        {
            Volatile.Write(ref s_state, new State(s_state.Total, now, gcPause));
        }
    }

    /// <summary>Called when the watcher's pause is over.</summary>
    /// <param name="gcPause">As for <see cref="Until"/>.</param>
    public static void OnTick(Timestamp now, Duration gcPause)
    {
        lock (s_writing)
        {
            Volatile.Write(ref s_state, new State(s_state.Until(now, gcPause), default, gcPause));
        }
    }

    /// <summary>
    /// Called when the watcher stops pausing, whatever the reason. Without this, the process would count as stopped from then on. It
    /// allocates nothing, because the watcher may have ended for lack of memory.
    /// </summary>
    public static void Resume() => Volatile.Read(ref s_state).Resume();

    // While the watcher works, it isn't pausing: a logger that blocks it hasn't stopped the process.
    private sealed class State(Duration total, Timestamp pausedAt, Duration gcPauseBefore)
    {
        private Timestamp _pausedAt = pausedAt;

        public Duration Total => total;

        public Duration Until(Timestamp now, Duration gcPause)
        {
            var elapsed = Counter.Read(ref _pausedAt) is var at && at != default ? now - at - (gcPause - gcPauseBefore) : Duration.Zero;
            return total + (elapsed >= StoppedFrom ? elapsed - Tick : Duration.Zero);
        }

        public void Resume() => Counter.Write(ref _pausedAt, default);
    }
}
