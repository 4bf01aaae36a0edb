using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>
/// Everything the rules know about an endpoint: the mean request, what its blocked time consists of, and where it was blocked. The package
/// builds it from its counters and the command from a run's figures, so both give the same verdict for the same figures.
/// </summary>
internal sealed record EndpointCase
{
    /// <summary>The mean warm request.</summary>
    public required HeldSplit Mean { get; init; }

    /// <summary>How many requests <see cref="Mean"/> is based on.</summary>
    public required long Requests { get; init; }

    /// <summary>What the blocked time of the mean request consists of.</summary>
    public required BlockedParts Parts { get; init; }

    /// <summary>The prediction; null when there is none.</summary>
    public Ceiling? Ceiling { get; init; }

    /// <summary>Whether the platform reports a thread's CPU time. A verdict needs it.</summary>
    public bool HasClock { get; init; } = true;

    /// <summary>Whether this is about operations instead of requests.</summary>
    public bool IsOperation { get; init; }

    /// <summary>The mean time from a request's start to its end; null if none was timed.</summary>
    public Duration? MeanDuration { get; init; }

    /// <summary>The mean number of times a request left its thread and came back.</summary>
    public double Suspensions { get; init; }

    /// <summary>The mean time a work item waited for a thread.</summary>
    public Duration QueueDelay { get; init; }

    /// <summary>
    /// The same figures for the interval in which the pool was calmest, so that the load of other endpoints doesn't change the verdict;
    /// null if unknown.
    /// </summary>
    public AwaitedTime? Calm { get; init; }

    /// <summary>How many of the requests were blocked for a millisecond or more where blocking isn't allowed.</summary>
    public long BlockedRequests { get; init; }

    /// <summary>The sum of the squares of those times, in ms²: it distinguishes one long wait from many short ones.</summary>
    public double BlockedSquares { get; init; }

    /// <summary>Whether the figures cover only the last seconds, because the endpoint behaved differently before.</summary>
    public bool HasChanged { get; init; }

    /// <summary>The place that blocked longest where blocking isn't allowed; null if none was seen.</summary>
    public WaitPlace? Worst { get; init; }

    /// <summary>The lock that blocked longest.</summary>
    public WaitPlace? WorstLock { get; init; }

    /// <summary>A place that explains almost none of the blocked time; null if none was seen.</summary>
    public WaitPlace? MinorPlace { get; init; }

    /// <summary>Whether <see cref="Worst"/> accounts for most of the blocked time.</summary>
    public bool IsWorstMostOfIt { get; init; } = true;

    /// <summary>Whether other places account for a relevant part of the time that can be awaited.</summary>
    public bool HasOtherPlaces { get; init; }

    /// <summary>The mean time for which a request was blocked while it held up all other writers of its database.</summary>
    public Duration BlockedAsWriter { get; init; }

    /// <summary>Whether any request was watched, and what was found.</summary>
    public WaitsSeen Seen { get; init; }

    /// <summary>Whether the wait hook will watch requests; false when detection is off.</summary>
    public bool WillLook { get; init; } = true;

    /// <summary>Whether stack snapshots look for what the hook cannot see.</summary>
    public bool HasSnapshots { get; init; }

    /// <summary>Why the allowed waits are allowed; null when that is unknown.</summary>
    public string? AllowedReason { get; init; }

    /// <summary>The provider that is synchronous inside and blocked longest; null when none was seen.</summary>
    public SynchronousProvider? Provider { get; init; }

    /// <summary>Whether only the endpoint's code shows the provider: nothing has seen a wait in it.</summary>
    public bool IsProviderFromCode { get; init; }

    /// <summary>Whether the provider spent most of its time retrying a locked database.</summary>
    public bool IsProviderBusy { get; init; }

    /// <summary>
    /// The limit on the rate that stays when the wait is awaited; null if there is none. A database is one only if requests wait for it, or
    /// keep it from others, long enough to mention.
    /// </summary>
    public string? Limit => Worst is null ? null
        : Worst.Limit
            ?? (DoWritersSetTheRate || (IsProviderBusy && BlockedParts.IsMuch(Parts.Provider, Mean))
                ? "the database, which lets one write at a time,"
                : null);

    // At the predicted rate, requests would hold up all other writers for longer than there is time.
    private bool DoWritersSetTheRate => BlockedParts.IsMuch(BlockedAsWriter, Mean)
        || Ceiling?.IfAsync.Safe * BlockedAsWriter.TotalMilliseconds > Duration.Second.TotalMilliseconds;

    /// <summary>Whether a verdict is impossible, because of too few requests or a missing clock.</summary>
    public bool IsCollecting => !HasClock || Requests < Verdicts.RequestsNeeded;

    /// <summary>The word for what is counted.</summary>
    public string Noun => IsOperation ? "operation" : "request";

    /// <summary>The plural, capitalized to begin a sentence.</summary>
    public string Nouns => IsOperation ? "Operations" : "Requests";

    /// <summary>The place that a sentence with this verdict names; null if there is none.</summary>
    public WaitPlace? PlaceFor(Verdict verdict) => verdict == Verdict.LockContention ? WorstLock : Worst;
}
