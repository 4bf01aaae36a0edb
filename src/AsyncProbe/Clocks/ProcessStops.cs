using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// Time in which the whole process stood still: stopped by a signal, frozen with its container, or suspended with its machine. Told from
/// the watcher, which pauses for a tenth of a second and then was away for a whole one. No request is to blame for it.
/// </summary>
internal static class ProcessStops
{
    /// <summary>A pause from which the process counts as stopped; a crowded machine delays the watcher for less.</summary>
    private static Duration StoppedFrom => Duration.Second;

    private static Duration Tick => Duration.FromMilliseconds(100);

    // A watcher that ends may tick once more while the next watcher ticks already.
    private static readonly Lock s_writing = new();

    // One object, so that a reader never sees half of a change.
    private static State s_state = new(Duration.Zero, default, Duration.Zero);

    /// <summary>How long the process stood still until now since the start.</summary>
    /// <param name="now">The present. After a stop a request's thread may look before the watcher does.</param>
    /// <param name="gcPause">Time that the garbage collector has paused the process; the watcher stands still then as well.</param>
    public static Duration Until(Timestamp now, Duration gcPause) => Volatile.Read(ref s_state).Until(now, gcPause);

    /// <summary>The watcher is about to pause.</summary>
    /// <param name="now">The present.</param>
    /// <param name="gcPause">As above.</param>
    public static void OnPause(Timestamp now, Duration gcPause)
    {
        lock (s_writing)
        {
            Volatile.Write(ref s_state, new State(s_state.Total, now, gcPause));
        }
    }

    /// <summary>The watcher's pause is over.</summary>
    /// <param name="now">The present.</param>
    /// <param name="gcPause">As above.</param>
    public static void OnTick(Timestamp now, Duration gcPause)
    {
        lock (s_writing)
        {
            Volatile.Write(ref s_state, new State(s_state.Until(now, gcPause), default, gcPause));
        }
    }

    /// <summary>
    /// The watcher does not pause any more, whatever has ended its pause. Without this, a process whose watcher has ended would count as
    /// stopped from then on. It allocates nothing, because the watcher may have ended for want of memory.
    /// </summary>
    public static void Resume() => Volatile.Read(ref s_state).Resume();

    // No pause while the watcher works: a logger that keeps it waiting has not stopped the process.
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
