using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>What is wrong with the pool, and the figures that show it.</summary>
/// <param name="Sample">The pool at that moment.</param>
/// <param name="InRequests">Threads that have been in a request or an operation long enough to be seen.</param>
/// <param name="Blocked">How many of those do nothing.</param>
/// <param name="Endpoint">The endpoint with most of the threads that matter for the cause; null if there is none.</param>
/// <param name="EndpointThreads">How many threads it has.</param>
/// <param name="Site">Where most of them wait; null if unknown.</param>
internal sealed record PoolDiagnosis(
    PoolCause Cause, PoolSample Sample, int InRequests, int Blocked, string? Endpoint, int EndpointThreads, string? Site)
{
    // Rounded up, because a number like 117 would look exact.
    private const int Step = 10;

    // More threads than this cost more in memory and context switches than they bring.
    private const int MostThreads = 1000;

    /// <summary>
    /// The minimum number of threads with which nothing that is queued or held now would wait; null if that isn't the problem.
    /// </summary>
    public int? HelpfulMinimum
    {
        get
        {
            if (Cause != PoolCause.Blocked || Sample.Pending == 0 || Sample.Busy < Sample.Threads)
            {
                return null;
            }

            var wanted = Math.Min(Sample.Busy + Sample.Pending, MostThreads);
            var minimum = (int)Math.Min((wanted + Step - 1) / Step * Step, Sample.MaximumThreads);
            return minimum > Sample.MinimumThreads ? minimum : null;
        }
    }

    /// <summary>
    /// The recommendation for the whole episode: what is queued changes with every tick, and the pool grows in the meantime. Null if there
    /// is none.
    /// </summary>
    public int? RecommendedMinimum { get; init; }

    /// <summary>What helps without changing code; null if nothing does.</summary>
    public PoolSetting? DoNow =>
        Cause == PoolCause.Deadlock ? PoolSetting.Maximum(Sample.MaximumThreads)
        : Cause == PoolCause.Blocked && RecommendedMinimum is { } minimum ? PoolSetting.Minimum(minimum, Sample.MinimumThreads)
        : null;

    /// <summary>Whether this was the case a moment ago, and no cause is known for the current state.</summary>
    public bool IsPast { get; init; }

    /// <summary>How much the diagnosis explains. A later one that explains more is logged again.</summary>
    public int Worth => Cause switch
    {
        PoolCause.None or PoolCause.Unknown => 0,
        PoolCause.Deadlock => 4,
        _ when Site is not null => 3,
        _ => IsSiteUnseen ? 2 : 1,
    };

    /// <summary>Whether the waits of the threads of <see cref="Endpoint"/> were watched, and what was found.</summary>
    public WaitsSeen Seen { get; init; }

    /// <summary>
    /// Whether most busy threads run neither a request nor an operation. <see cref="Site"/> is then where most of those threads are, and
    /// isn't about an endpoint.
    /// </summary>
    public bool IsUnclaimed { get; init; }

    /// <summary>How many of those threads do nothing, as far as known.</summary>
    public int UnclaimedIdle { get; init; }

    /// <summary>Whether other processes use up the cores: this process wants them and gets few.</summary>
    public bool IsCrowdedOut { get; init; }

    /// <summary>How many of the <see cref="InRequests"/> threads are in an operation instead of a request.</summary>
    public int InOperations { get; init; }

    /// <summary>What helps at <see cref="Site"/> if await doesn't, as a sentence; null if it does.</summary>
    public string? Remedy { get; init; }

    /// <summary>Whether the hook looks for call sites.</summary>
    public bool WillLook { get; init; } = true;

    /// <summary>Whether stack snapshots look for what the hook cannot see.</summary>
    public bool HasSnapshots { get; init; }

    /// <summary>Whether the hook watched but cannot see the waits that block.</summary>
    public bool IsSiteUnseen => Site is null && Seen == WaitsSeen.NothingFound;
}
