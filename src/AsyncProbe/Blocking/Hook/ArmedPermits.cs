using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Limits how many requests may carry the wait hook at a time, across all hosts in the process. An armed request needs a pool thread for
/// every continuation, even where it would need none without the hook. So most of the pool must run without it.
/// </summary>
internal static class ArmedPermits
{
    /// <summary>How many armed requests an endpoint may have in flight.</summary>
    public const int OfEndpoint = 2;

    /// <summary>The same while the pool is not healthy.</summary>
    public const int OfEndpointUnderPressure = 1;

    private const int AtLeast = 2;
    private const int Many = 4;

    private static int s_taken;

    public static int Taken => Volatile.Read(ref s_taken);

    /// <summary>How many permits there are under the pool's current limits.</summary>
    public static int Limit
    {
        get
        {
            ThreadPool.GetMinThreads(out var minimum, out _);
            ThreadPool.GetMaxThreads(out var maximum, out _);
            return LimitOf(minimum, maximum);
        }
    }

    /// <summary>Half of the pool's minimum and at least two, but always less than its maximum.</summary>
    public static int LimitOf(int minimum, int maximum) => Math.Min(Math.Max(AtLeast, minimum / 2), maximum - 1);

    /// <param name="leavesOne">When there are many permits, whether to leave the last one to a request that needs it more.</param>
    public static bool TryTake(bool leavesOne = false)
    {
        var limit = Limit;
        return Counter.TryRaise(ref s_taken, leavesOne && limit >= Many ? limit - 1 : limit);
    }

    public static void Release() => Interlocked.Decrement(ref s_taken);
}
