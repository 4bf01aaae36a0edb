using AsyncProbe.Clocks;

namespace AsyncProbe.Prediction;

/// <summary>What a mean request's blocked time consists of, in nanoseconds.</summary>
/// <param name="Blocked">All of it.</param>
/// <param name="Allowed">What an attribute, a scope or a rule allows.</param>
/// <param name="Locks">At locks that others hold.</param>
/// <param name="Provider">In a database provider that waits inside its asynchronous methods too.</param>
internal readonly record struct BlockedParts(long Blocked, long Allowed, long Locks, long Provider)
{
    /// <summary>
    /// What may as well have been waits for the garbage collector: the process was paused for so long, and nobody has seen where the thread
    /// waited. A thread that waits for a collection, or for the turn to make one, sleeps like any other.
    /// </summary>
    public long Unclear { get; init; }

    /// <summary>What somebody may want to change.</summary>
    public long Accused => Math.Max(0, Blocked - Allowed - Unclear);

    /// <summary>How much of the blocked time without a place the garbage collector's pauses can account for.</summary>
    /// <param name="mean">The mean request.</param>
    /// <param name="gcShare">The share of the time in which the process was paused, 0 to 1.</param>
    /// <param name="withoutPlace">Blocked time whose place nobody has seen.</param>
    public static long UnclearOf(HeldSplit mean, double gcShare, long withoutPlace) =>
        Math.Clamp((long)(mean.Held * gcShare) - mean.Gc, 0, Math.Max(0, withoutPlace));

    /// <summary>What await removes.</summary>
    public long Avoidable => Math.Max(0, Accused - Locks - Provider);
}
