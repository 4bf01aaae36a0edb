using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Prediction;

/// <summary>What a mean request's blocked time consists of.</summary>
/// <param name="Blocked">All of it.</param>
/// <param name="Allowed">What an attribute, a scope or a rule allows.</param>
/// <param name="Locks">At locks that others hold.</param>
/// <param name="Provider">In a database provider that waits inside its asynchronous methods too.</param>
internal readonly record struct BlockedParts(Duration Blocked, Duration Allowed, Duration Locks, Duration Provider)
{
    /// <summary>
    /// What may as well have been somebody else's doing, and nobody has seen where the thread waited. Waits for the garbage collector, as
    /// long as it paused the process: a thread that waits for a collection, or for the turn to make one, sleeps like any other. And in a
    /// crowd, waits for another thread that waits for a core itself: whoever holds a lock then keeps it for as long.
    /// </summary>
    public Duration Unclear { get; init; }

    /// <summary>What somebody may want to change.</summary>
    public Duration Accused => (Blocked - Allowed - Unclear).OrZero();

    /// <summary>How much of the blocked time without a place the crowd or the garbage collector's pauses can account for.</summary>
    /// <param name="mean">The mean request.</param>
    /// <param name="gcShare">The share of the time in which the process was paused, 0 to 1.</param>
    /// <param name="withoutPlace">Blocked time whose place nobody has seen.</param>
    public static Duration UnclearOf(HeldSplit mean, double gcShare, Duration withoutPlace) =>
        mean.IsMostlyCpuWait
            ? withoutPlace.OrZero()
            : Duration.Clamp((mean.Held * gcShare) - mean.Gc, Duration.Zero, withoutPlace.OrZero());

    /// <summary>What await removes.</summary>
    public Duration Avoidable => (Accused - Locks - Provider).OrZero();
}
