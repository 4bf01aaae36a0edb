using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>Decides the verdict from the mean warm request of the last busy minutes.</summary>
internal static class Verdicts
{
    /// <summary>The number of warm requests that a verdict needs.</summary>
    public const int RequestsNeeded = 5;

    /// <summary>
    /// The number of requests that count as cold. A cold request includes the JIT's time: 20 ms for the first, 0.5 ms for the second. The
    /// prediction leaves cold requests out, but the table includes them.
    /// </summary>
    public const int ColdRequests = 5;

    /// <summary>With fewer blocked requests, a wait at an unknown place may be an exception.</summary>
    public const int BlockedForAPattern = 3;

    /// <summary>A smaller gain doesn't justify changing code, and is within the prediction's error.</summary>
    public const double WorthwhileGain = 1.15;

    private const double MostOfIt = 0.5;

    // If the threads or cores are unknown, nothing limits the rate.
    private static readonly Ceiling s_unknown = new(0, default, default);

    private const double ShareWorthChanging = 0.15;

    // An endpoint with a cache awaits only sometimes. One suspension in ten requests is enough to count as awaiting.
    private const double LeastSuspensions = 0.1;

    // The watcher measures the queue delay only ten times a second, so a continuation may have waited twice as long.
    private const int QueueDelayAtMost = 2;

    private static Duration WorthMentioning => Duration.Millisecond;

    private static Duration ManyMilliseconds => Duration.FromMilliseconds(5);

    public static Verdict Decide(EndpointCase endpoint)
    {
        if (endpoint.IsCollecting)
        {
            return Verdict.NotEnoughData;
        }

        // Waiting for a core comes from the load and ends with it.
        var (mean, parts) = (endpoint.Mean, endpoint.Parts);
        var alone = mean.Held - mean.CpuWait;
        if (parts.Actionable >= WorthMentioning && parts.Actionable >= alone * ShareWorthChanging && !IsOfOneRequest(endpoint)
            && !IsOfFewAtUnknownPlace(endpoint) && OfBlocked(endpoint, endpoint.Ceiling ?? s_unknown) is { } verdict)
        {
            return verdict;
        }

        if (IsMostlyAway(new AwaitedTime(mean, endpoint.MeanDuration, endpoint.Suspensions, endpoint.QueueDelay))
            || (endpoint.Calm is { } calm && IsMostlyAway(calm)))
        {
            return Verdict.AlreadyAsync;
        }

        if (IsHiddenByTheCrowd(parts, mean))
        {
            return Verdict.NotEnoughData;
        }

        // Blocked time that accuses nothing, such as one request's stall, isn't work either.
        return Works(mean) && parts.Allowed <= (alone - parts.Actionable) * MostOfIt ? Verdict.CpuBound : Verdict.Fine;
    }

    /// <summary>
    /// Whether a single request, such as a stall or a rare case, made the mean worth mentioning. That is not yet a pattern. The request
    /// accounts for most of the blocked time that isn't allowed, and without it the mean would not be worth mentioning. False if no
    /// finished request was blocked for long, because then the time comes from requests that are still running.
    /// </summary>
    public static bool IsOfOneRequest(EndpointCase endpoint)
    {
        var parts = endpoint.Parts;
        var all = (parts.Blocked - parts.Allowed) * endpoint.Requests;
        return parts.Actionable >= WorthMentioning && LongestUnallowed(endpoint, all) is var longest && longest > all * MostOfIt
            && all - longest < WorthMentioning * endpoint.Requests;
    }

    // The longest time of a single request is the root of its square. For several requests, the sum of the squares divided by the sum is a
    // lower bound, because no square exceeds the request's own time multiplied by the longest. A cold request that is being counted right
    // now may be missing from one of the two sums.
    private static Duration LongestUnallowed(EndpointCase endpoint, Duration all)
    {
        var squares = Math.Max(0, endpoint.BlockedSquares);
        return Duration.FromMilliseconds(endpoint.BlockedRequests == 1 ? Math.Sqrt(squares) : squares / all.TotalMilliseconds);
    }

    // In that case, the blocked time at unknown places may be the endpoint's own or the crowd's, so the verdict can't be CPU-bound or fine.
    // If the crowd caused it, the thread would wait much longer for a core. Waits for a core are most of the held time, so this much
    // unclear time is also more than the work.
    private static bool IsHiddenByTheCrowd(BlockedParts parts, HeldSplit mean) =>
        mean.IsMostlyCpuWait && BlockedParts.IsMuch(parts.Unclear, mean) && parts.Unclear > mean.CpuWait / 2;

    /// <summary>
    /// Whether so few requests were blocked at an unknown place that they may be exceptions. They account for most of the time, and all
    /// others were blocked for less than a millisecond. Where the place is known, its code shows whether it waits in every request.
    /// </summary>
    public static bool IsOfFewAtUnknownPlace(EndpointCase endpoint)
    {
        var parts = endpoint.Parts;
        return endpoint is { Worst: null, BlockedRequests: < BlockedForAPattern } && parts.Actionable >= WorthMentioning
            && parts.Avoidable > parts.Locks + parts.Provider
            && Math.Sqrt(endpoint.BlockedRequests * Math.Max(0, endpoint.BlockedSquares))
                > ((parts.Blocked - parts.Allowed) * endpoint.Requests).TotalMilliseconds * MostOfIt;
    }

    private static bool Works(HeldSplit mean) => mean.Cpu + mean.Gc >= WorthMentioning;

    private static Verdict? OfBlocked(EndpointCase endpoint, Ceiling ceiling)
    {
        var (mean, parts) = (endpoint.Mean, endpoint.Parts);

        // If there is more work than waiting and the cores limit the rate, shorter locks or commands change nothing. In a crowd, the lock's
        // holder waits for a core as long as any other thread.
        var isWork = Works(mean) && ceiling.IsBoundByCores && (mean.Cpu > parts.Actionable || mean.IsMostlyCpuWait);
        if (parts.Provider > parts.Actionable * MostOfIt)
        {
            return isWork ? Verdict.CpuBound : Verdict.ProviderIsSynchronous;
        }

        if (parts.Locks > parts.Actionable * MostOfIt)
        {
            return isWork ? Verdict.CpuBound : Verdict.LockContention;
        }

        // Await helps only if a place that can be awaited accounts for most of that time.
        if (parts.Avoidable <= parts.Unplaced)
        {
            return parts.Locks + parts.Provider <= parts.Unplaced ? null
                : isWork ? Verdict.CpuBound
                : parts.Locks >= parts.Provider ? Verdict.LockContention : Verdict.ProviderIsSynchronous;
        }

        if (ceiling.Gain is null or >= WorthwhileGain)
        {
            return Verdict.AsyncWillHelp;
        }

        // Awaiting a semaphore doesn't let more requests through, but they no longer hold a thread while they wait.
        if (endpoint.Limit is not null && parts.Avoidable >= ManyMilliseconds && parts.Avoidable > mean.Cpu)
        {
            return Verdict.AsyncWillHelp;
        }

        // After await, the remaining time decides: the cores, or the larger of the waits that await doesn't remove.
        if (!Works(mean) && parts.Avoidable >= parts.Locks + parts.Provider)
        {
            // A blocked pool grows to many threads. Hardly anything limits the rate then, but the threads are still wasted.
            return parts.Avoidable >= ManyMilliseconds ? Verdict.AsyncWillHelp : null;
        }

        return ceiling.IsBoundByCores || mean.Cpu >= parts.Actionable - parts.Avoidable + parts.Allowed ? Verdict.CpuBound
            : parts.Allowed > parts.Locks + parts.Provider ? null
            : parts.Locks >= parts.Provider ? Verdict.LockContention : Verdict.ProviderIsSynchronous;
    }

    /// <summary>
    /// Whether requests await most of their time. They must have left their threads. The time that a continuation queues for a thread
    /// doesn't count, because otherwise CPU work after an await would look async in a crowd.
    /// </summary>
    private static bool IsMostlyAway(AwaitedTime time)
    {
        var (mean, suspensions) = (time.Mean, time.Suspensions);
        if (time.Duration is not { } duration || duration < WorthMentioning || suspensions < LeastSuspensions)
        {
            return false;
        }

        // The code that completes an await, and the continuation, wait for a core as long as the code between the awaits.
        var forACore = mean.CpuWait / (suspensions + 1);
        var queued = ((time.QueueDelay * QueueDelayAtMost) + forACore) * suspensions;
        return duration - mean.Held - queued >= mean.Held - mean.CpuWait && duration - queued >= WorthMentioning;
    }
}
