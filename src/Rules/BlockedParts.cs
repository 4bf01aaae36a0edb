using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>What a mean request's blocked time consists of.</summary>
/// <param name="Blocked">All of it.</param>
/// <param name="Allowed">What an attribute, a scope or a rule allows.</param>
/// <param name="Locks">At locks that others hold.</param>
/// <param name="Provider">In a database provider that waits inside its asynchronous methods too.</param>
internal readonly record struct BlockedParts(Duration Blocked, Duration Allowed, Duration Locks, Duration Provider)
{
    private const double ShareWorthSaying = 0.15;

    // Of the most crowded machine.
    private const double MostCrowded = 8;

    // Of 32 requests that collect at once each was blocked for no longer than it worked, or one and a half times as long.
    private const double MostForItsWork = 2;

    /// <summary>
    /// What may as well have been somebody else's doing, and nobody has seen where the thread waited. Waits for the garbage collector, as
    /// long as it paused the process: a thread that waits for a collection, or for the turn to make one, sleeps like any other. And in a
    /// crowd, waits for another thread that waits for a core itself: whoever holds a lock then keeps it for as long.
    /// </summary>
    public Duration Unclear { get; init; }

    /// <summary>
    /// Blocked time outside of calls that could be awaited: its place is unknown, or it is in the runtime. It is not
    /// <see cref="Unclear"/>: neither the crowd nor the collector accounts for it.
    /// </summary>
    public Duration Unplaced { get; init; }

    /// <summary>What somebody may want to change.</summary>
    public Duration Accused => (Blocked - Allowed - Unclear).OrZero();

    /// <summary>How much of the blocked time without a place the crowd or the garbage collector's pauses can account for.</summary>
    /// <param name="mean">
    /// The mean request. The pauses are those within its own segments: over a longer time, a short busy one would be thinned out.
    /// </param>
    /// <param name="withoutPlace">Blocked time whose place nobody has seen.</param>
    public static Duration UnclearOf(HeldSplit mean, Duration withoutPlace) =>
        mean.IsMostlyCpuWait
            ? withoutPlace.OrZero()
            : Duration.Min(mean.BlockedInGc.OrZero() + BetweenPauses(mean), withoutPlace.OrZero());

    // Between two pauses the thread whose turn it is to collect needs a core, and the others wait for it. Where 32 threads collect at once,
    // half to three quarters of their waits are in pauses, and a fifth where cores are so scarce that a thread waits for one ten times as
    // long as it runs. A request that does next to nothing makes no collections: between those of others it waits for something else.
    private static Duration BetweenPauses(HeldSplit mean) =>
        Duration.Min(mean.BlockedInGc.OrZero() * CrowdOf(mean), (mean.Held - mean.Blocked).OrZero() * MostForItsWork);

    private static double CrowdOf(HeldSplit mean) =>
        mean.Cpu <= Duration.Zero ? 1 : Math.Min((mean.Cpu + mean.CpuWait).RatioTo(mean.Cpu), MostCrowded);

    /// <summary>Whether so much of the mean request is unclear that its sentence must say so.</summary>
    /// <param name="unclear">As <see cref="Unclear"/>.</param>
    /// <param name="mean">The mean request.</param>
    public static bool IsMuch(Duration unclear, HeldSplit mean) =>
        unclear >= Duration.Millisecond && unclear >= mean.Held * ShareWorthSaying;

    /// <summary>What await removes.</summary>
    public Duration Avoidable => (Accused - Locks - Provider - Unplaced).OrZero();
}
