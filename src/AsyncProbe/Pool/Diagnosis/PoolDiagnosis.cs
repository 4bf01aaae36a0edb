using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>What the pool suffers from, and the figures that say so.</summary>
/// <param name="Cause">The cause.</param>
/// <param name="Sample">The pool at that moment.</param>
/// <param name="InRequests">Threads that are in a request or an operation for long enough to be seen.</param>
/// <param name="Blocked">Those of them that do nothing.</param>
/// <param name="Endpoint">The endpoint with most of the threads that matter for the cause; null when there is none.</param>
/// <param name="EndpointThreads">How many threads it has.</param>
/// <param name="Site">Where most of them wait; null when not known.</param>
internal sealed record PoolDiagnosis(
    PoolCause Cause, PoolSample Sample, int InRequests, int Blocked, string? Endpoint, int EndpointThreads, string? Site)
{
    // Rounded up, because a number like 117 would pretend to be exact.
    private const int Step = 10;

    // More threads than this cost more in memory and switches than a waiting request is worth.
    private const int MostThreads = 1000;

    /// <summary>
    /// The minimum of threads with which what is queued and held at this moment would not wait; null when that is not the trouble.
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
    /// What is recommended in the whole episode: what is queued changes with every tick, and the pool grows meanwhile. Null when nothing
    /// is.
    /// </summary>
    public int? RecommendedMinimum { get; init; }

    /// <summary>What helps without a change of code; null when nothing does.</summary>
    public PoolSetting? DoNow =>
        Cause == PoolCause.Deadlock ? PoolSetting.Maximum(Sample.MaximumThreads)
        : Cause == PoolCause.Blocked && RecommendedMinimum is { } minimum ? PoolSetting.Minimum(minimum, Sample.MinimumThreads)
        : null;

    /// <summary>Whether this was so a moment ago, and what is now has no known cause.</summary>
    public bool IsPast { get; init; }

    /// <summary>How much the diagnosis tells; a later one that tells more is worth a log line of its own.</summary>
    public int Worth => Cause switch
    {
        PoolCause.None or PoolCause.Unknown => 0,
        PoolCause.Deadlock => 4,
        _ when Site is not null => 3,
        _ => IsSiteUnseen ? 2 : 1,
    };

    /// <summary>Whether anybody has looked where the threads of <see cref="Endpoint"/> wait, and what was seen.</summary>
    public WaitsSeen Seen { get; init; }

    /// <summary>
    /// Whether most busy threads run neither a request nor an operation. <see cref="Site"/> is then where most of those are, and says
    /// nothing of an endpoint.
    /// </summary>
    public bool IsUnclaimed { get; init; }

    /// <summary>How many of those do nothing, as far as anybody can tell.</summary>
    public int UnclaimedIdle { get; init; }

    /// <summary>Whether the cores are used up by other processes: this one wants them and gets few.</summary>
    public bool IsCrowdedOut { get; init; }

    /// <summary>How many of the threads that are in a request are in an operation instead.</summary>
    public int InOperations { get; init; }

    /// <summary>What helps at <see cref="Site"/> where await does not, as a sentence; null where it does.</summary>
    public string? Remedy { get; init; }

    /// <summary>Whether the hook looks for places at all.</summary>
    public bool WillLook { get; init; } = true;

    /// <summary>Whether stack snapshots look for what the hook cannot see.</summary>
    public bool HasSnapshots { get; init; }

    /// <summary>Whether somebody has looked: what blocks is something that the wait hook cannot see.</summary>
    public bool IsSiteUnseen => Site is null && Seen == WaitsSeen.NothingFound;
}
