using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>What a mean request's blocked time consists of.</summary>
/// <param name="Blocked">All of the blocked time.</param>
/// <param name="Allowed">The part that an attribute, a scope or a rule allows.</param>
/// <param name="Locks">The part at locks that others hold.</param>
/// <param name="Provider">The part in a database provider that waits even inside its asynchronous methods.</param>
internal readonly record struct BlockedParts(Duration Blocked, Duration Allowed, Duration Locks, Duration Provider)
{
    private const double ShareWorthSaying = 0.15;

    private const double NearlyAll = 0.9;

    // The upper limit of CrowdOf, from the most crowded machine that was measured.
    private const double MostCrowded = 8;

    // With 32 requests collecting at the same time, each was blocked for at most one and a half times as long as it worked.
    private const double MostForItsWork = 2;

    /// <summary>
    /// Blocked time at unknown places that may not be the endpoint's own. The garbage collector can account for its pauses and the time
    /// between them, because a thread that waits for a collection, or for its turn to run one, sleeps like any other. In a crowd, all of it
    /// is unclear: a thread may wait for another that itself waits for a core, such as the holder of a lock.
    /// </summary>
    public Duration Unclear { get; init; }

    /// <summary>
    /// Blocked time outside of calls that could be awaited: either its place is unknown, or it is in the runtime. It doesn't overlap with
    /// <see cref="Unclear"/>, because neither the crowd nor the collector accounts for it. <see cref="UnplacedOf"/> says how long it can be.
    /// </summary>
    public Duration Unplaced { get; init; }

    /// <summary>
    /// How much of the blocked time outside known calls counts as unplaced: all of it or nothing. The runtime itself waits while it works,
    /// for example when it allocates or remaps memory to write code, but rarely for longer than the thread works. Unless stack samples show
    /// that the runtime waits, longer waits are the application's own, at a place that nothing has shown yet, so they don't count.
    /// </summary>
    /// <param name="mean">The mean request.</param>
    /// <param name="outsideKnownCalls">Its blocked time outside of known calls that could be awaited.</param>
    /// <param name="isInRuntime">Whether stack samples showed that in most of its waits no method on the stack waits.</param>
    public static Duration UnplacedOf(HeldSplit mean, Duration outsideKnownCalls, bool isInRuntime) =>
        outsideKnownCalls > mean.Cpu + mean.Gc && !isInRuntime ? Duration.Zero : outsideKnownCalls.OrZero();

    /// <summary>The blocked time that may be worth changing.</summary>
    public Duration Actionable => (Blocked - Allowed - Unclear).OrZero();

    /// <summary>How much of the blocked time at unknown places the crowd or the garbage collector's pauses can account for.</summary>
    /// <param name="mean">
    /// The mean request. It includes only pauses within its own segments. Over a longer time, pauses of a short busy phase would be
    /// diluted.
    /// </param>
    /// <param name="withoutPlace">Blocked time at unknown places.</param>
    public static Duration UnclearOf(HeldSplit mean, Duration withoutPlace) =>
        mean.IsMostlyCpuWait
            ? withoutPlace.OrZero()
            : Duration.Min(mean.BlockedInGc.OrZero() + BetweenPauses(mean), withoutPlace.OrZero());

    // Between two pauses, the thread whose turn it is to collect needs a core, and the others wait for it. If 32 threads collect at the
    // same time, half to three quarters of their waits are in pauses. The share drops to a fifth if cores are so scarce that a thread waits
    // ten times as long for one as it runs. A request that does almost nothing doesn't trigger collections, so between other requests'
    // collections it waits for something unrelated.
    private static Duration BetweenPauses(HeldSplit mean) =>
        Duration.Min(mean.BlockedInGc.OrZero() * CrowdOf(mean), (mean.Held - mean.Blocked).OrZero() * MostForItsWork);

    private static double CrowdOf(HeldSplit mean) =>
        mean.Cpu <= Duration.Zero ? 1 : Math.Min((mean.Cpu + mean.CpuWait).RatioTo(mean.Cpu), MostCrowded);

    /// <summary>Whether a part of the mean request is long enough that its sentence must mention it.</summary>
    /// <param name="part">The part, such as the unclear time.</param>
    /// <param name="mean">The mean request.</param>
    public static bool IsMuch(Duration part, HeldSplit mean) => part >= Duration.Millisecond && part >= mean.Held * ShareWorthSaying;

    /// <summary>
    /// Whether a place accounts for nearly all of the time that can be awaited. The rest is within what these figures differ by.
    /// </summary>
    /// <param name="place">The blocked time of the mean request there.</param>
    public bool IsNearlyAll(Duration place) => IsNearlyAll(place, Avoidable);

    /// <summary>Whether a part is so large that the rest is within what these figures differ by.</summary>
    public static bool IsNearlyAll(Duration part, Duration whole) => part >= whole * NearlyAll;

    /// <summary>The blocked time that await removes.</summary>
    public Duration Avoidable => (Actionable - Locks - Provider - Unplaced).OrZero();
}
