using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>Decides the verdict from the mean warm request of the last busy minutes.</summary>
internal static class Verdicts
{
    /// <summary>Warm requests that a verdict needs.</summary>
    public const int RequestsNeeded = 5;

    /// <summary>
    /// A cold request carries the JIT's time: 20 ms the first, 0.5 ms the second. The prediction leaves these out, the table does not.
    /// </summary>
    public const int ColdRequests = 5;

    /// <summary>A smaller gain is no reason to change code, and within what a prediction is off by.</summary>
    public const double WorthwhileGain = 1.15;

    private const double MostOfIt = 0.5;

    // Where threads or cores are not known, nothing limits the rate.
    private static readonly Ceiling s_unknown = new(0, default, default);

    private const double ShareWorthChanging = 0.15;

    // One request in ten that suspends is an endpoint that sometimes awaits, as one with a cache does.
    private const double LeastSuspensions = 0.1;

    // The queue delay is the watcher's, ten times a second: the one that a continuation meets may well be twice that.
    private const int QueueDelayAtMost = 2;

    private static Duration WorthMentioning => Duration.Millisecond;

    private static Duration ManyMilliseconds => Duration.FromMilliseconds(5);

    public static Verdict Decide(EndpointCase endpoint)
    {
        if (endpoint.IsCollecting)
        {
            return Verdict.NotEnoughData;
        }

        // A wait for a core is the crowd's doing and goes away with it.
        var (mean, parts) = (endpoint.Mean, endpoint.Parts);
        var alone = mean.Held - mean.CpuWait;
        if (parts.Accused >= WorthMentioning && parts.Accused >= alone * ShareWorthChanging && !IsOfOneRequest(endpoint)
            && OfBlocked(endpoint, endpoint.Ceiling ?? s_unknown) is { } verdict)
        {
            return verdict;
        }

        if (IsUnexplained(endpoint, alone, ManyMilliseconds))
        {
            return Verdict.NotEnoughData;
        }

        if (IsMostlyAway(new AwaitedTime(mean, endpoint.MeanDuration, endpoint.Suspensions, endpoint.QueueDelay))
            || (endpoint.Calm is { } calm && IsMostlyAway(calm)))
        {
            return Verdict.AlreadyAsync;
        }

        if (IsUnexplained(endpoint, alone, WorthMentioning))
        {
            return Verdict.NotEnoughData;
        }

        if (IsHiddenByTheCrowd(parts, mean))
        {
            return Verdict.NotEnoughData;
        }

        return Works(mean) && parts.Allowed <= alone * MostOfIt ? Verdict.CpuBound : Verdict.Fine;
    }

    /// <summary>
    /// Whether one request alone has made the mean worth mentioning: a stall, or a rare case, but no pattern yet. It accounts for most of
    /// what nobody allows, and without it the mean would not be worth mentioning. While none that has ended was blocked for long, those
    /// that still run are.
    /// </summary>
    public static bool IsOfOneRequest(EndpointCase endpoint)
    {
        var parts = endpoint.Parts;
        var all = (parts.Blocked - parts.Allowed) * endpoint.Requests;
        var longest = LongestUnallowed(endpoint, all);
        return parts.Accused >= WorthMentioning && longest > all * MostOfIt && all - longest < WorthMentioning * endpoint.Requests;
    }

    // Of one it is the root of its square. Of several it is at least the sum of the squares over the sum: no request's square is more than
    // its own time, times the longest. A cold request that is being counted may be missing from one of two sums.
    private static Duration LongestUnallowed(EndpointCase endpoint, Duration all)
    {
        if (all <= Duration.Zero || endpoint.BlockedSquares <= 0)
        {
            return Duration.Zero;
        }

        var (squares, allMs) = (endpoint.BlockedSquares, all.TotalMilliseconds);
        return Duration.FromMilliseconds(endpoint.BlockedRequests == 1 ? Math.Sqrt(squares) : squares / allMs);
    }

    // What nobody has seen may then be a wait of the endpoint's own as well as the crowd's: it is neither work nor nothing. Where threads
    // wait for others that have no core, they wait for a core much longer. As the waits for a core are most of what is held, so much is
    // more than the work too.
    private static bool IsHiddenByTheCrowd(BlockedParts parts, HeldSplit mean) =>
        mean.IsMostlyCpuWait && BlockedParts.IsMuch(parts.Unclear, mean) && parts.Unclear > mean.CpuWait / 2;

    private static bool Works(HeldSplit mean) => mean.Cpu + mean.Gc >= WorthMentioning;

    /// <summary>
    /// Whether a thread did nothing for longer than it worked, in no call that could be awaited. It may be a sleep that no sample has
    /// shown, a transaction that others wait for, or the runtime itself, so no verdict can be given.
    /// </summary>
    private static bool IsUnexplained(EndpointCase endpoint, Duration alone, Duration atLeast) =>
        endpoint.Parts.Unplaced is var unplaced && unplaced >= atLeast && unplaced >= alone * ShareWorthChanging
            && unplaced > endpoint.Mean.Cpu + endpoint.Mean.Gc && !IsOfOneRequest(endpoint);

    private static Verdict? OfBlocked(EndpointCase endpoint, Ceiling ceiling)
    {
        var (mean, parts) = (endpoint.Mean, endpoint.Parts);

        // Where the work is more than the waits and the cores limit the rate, shorter locks or commands change nothing. In a crowd the one
        // who has the lock waits for a core as long as everybody else.
        var isWork = Works(mean) && ceiling.IsBoundByCores && (mean.Cpu > parts.Accused || mean.IsMostlyCpuWait);
        if (parts.Provider > parts.Accused * MostOfIt)
        {
            return isWork ? Verdict.CpuBound : Verdict.ProviderIsSynchronous;
        }

        if (parts.Locks > parts.Accused * MostOfIt)
        {
            return isWork ? Verdict.CpuBound : Verdict.LockContention;
        }

        // Await needs a place that can be awaited and carries most of what could be.
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

        // A semaphore lets no more requests through when it is awaited, but they no longer hold a thread for it.
        if (endpoint.Worst?.Limit is not null && parts.Avoidable >= ManyMilliseconds && parts.Avoidable > mean.Cpu)
        {
            return Verdict.AsyncWillHelp;
        }

        // What is left after await decides: the cores, or the larger of the waits that await does not remove.
        if (!Works(mean) && parts.Avoidable >= parts.Locks + parts.Provider)
        {
            // With the many threads that a blocked pool grows to, hardly anything limits the rate; the threads are wasted all the same.
            return parts.Avoidable >= ManyMilliseconds ? Verdict.AsyncWillHelp : null;
        }

        return ceiling.IsBoundByCores || mean.Cpu >= parts.Accused - parts.Avoidable + parts.Allowed ? Verdict.CpuBound
            : parts.Allowed > parts.Locks + parts.Provider ? null
            : parts.Locks >= parts.Provider ? Verdict.LockContention : Verdict.ProviderIsSynchronous;
    }

    /// <summary>
    /// Whether requests await most of their time. They must have been seen to leave their threads, and a continuation that queues for a
    /// thread awaits nothing: CPU work behind an await would look async in a crowd.
    /// </summary>
    private static bool IsMostlyAway(AwaitedTime time)
    {
        var (mean, suspensions) = (time.Mean, time.Suspensions);
        if (time.Duration is not { } duration || duration < WorthMentioning || suspensions < LeastSuspensions)
        {
            return false;
        }

        // Who completes an await, and the continuation, want a core like the code between the awaits, and wait for it as long.
        var forACore = mean.CpuWait / (suspensions + 1);
        var queued = ((time.QueueDelay * QueueDelayAtMost) + forACore) * suspensions;
        return duration - mean.Held - queued >= mean.Held - mean.CpuWait && duration - queued >= WorthMentioning;
    }
}
