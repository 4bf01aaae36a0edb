using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>
/// How many requests a second an endpoint can serve if it has the pool and the cores to itself: throughput ≤ threads ÷ held time (Little's
/// law with the pool as the server), and ≤ cores ÷ CPU time.
/// </summary>
/// <param name="Threads">The pool threads the prediction assumes.</param>
/// <param name="Now">The rate with the code as it is.</param>
/// <param name="IfAsync">The rate without the avoidable blocked time.</param>
internal sealed record Ceiling(int Threads, Rate Now, Rate IfAsync)
{
    // With so little CPU time left, costs that aren't measured here decide, such as the kernel's network work and the client. So give only
    // an upper bound.
    private static Duration BoundBelowNow => Duration.FromMicroseconds(200);

    private static Duration BoundBelowIfAsync => Duration.FromMilliseconds(2);

    /// <summary>The factor by which async raises the rate, or its upper bound if the new rate is only a bound. Null if unknown.</summary>
    public double? Gain => Now.Safe is > 0 and var now && IfAsync.Safe is { } then ? then / now : null;

    /// <summary>Whether the cores set the limit once the avoidable blocked time is gone.</summary>
    public bool IsBoundByCores { get; init; }

    /// <summary>
    /// Whether a request needs so little CPU time that a rate based on it would be a guess: costs outside the request's clocks would
    /// decide.
    /// </summary>
    public bool IsIfAsyncUnknown { get; init; }

    /// <param name="mean">The mean warm request.</param>
    /// <param name="avoidableBlocked">The part of its blocked time that async would remove.</param>
    /// <param name="serverOverhead">CPU time of the server outside the request's segments; zero when not measured.</param>
    /// <param name="threads">Number of pool threads.</param>
    /// <param name="cores">Number of available cores.</param>
    public static Ceiling Create(HeldSplit mean, Duration avoidableBlocked, Duration serverOverhead, int threads, double cores)
    {
        var remaining = (mean.Blocked - avoidableBlocked).OrZero();
        var cpu = mean.Cpu + serverOverhead;
        return new Ceiling(
            threads,
            RateOf(mean.Cpu + mean.Gc, cpu, mean.Blocked, threads, cores, BoundBelowNow),
            RateOf(
                mean.Cpu + mean.Gc, cpu, remaining, threads, cores, avoidableBlocked > Duration.Zero ? BoundBelowIfAsync : BoundBelowNow))
        {
            IsBoundByCores = PerSecond(cores, cpu) <= PerSecond(threads, mean.Cpu + mean.Gc + remaining),
            IsIfAsyncUnknown = cpu < BoundBelowNow,
        };
    }

    /// <summary>
    /// The number of pool threads to assume: the most there were while the endpoint was busy, but at least the minimum, and never the
    /// default maximum of 32,767.
    /// </summary>
    public static int ThreadsInForce(int minimum, int maximum, int most) => Math.Min(maximum, Math.Max(minimum, most));

    private static Rate RateOf(Duration work, Duration cpu, Duration blocked, int threads, double cores, Duration boundBelow)
    {
        // Waiting for a core isn't a property of the endpoint and ends with the load, so leave it out of held time.
        var byThreads = PerSecond(threads, work + blocked);
        var byCores = PerSecond(cores, cpu);
        var high = Math.Min(byThreads, byCores);
        if (double.IsInfinity(high))
        {
            return default;
        }

        if (byCores <= byThreads && cpu < boundBelow)
        {
            return new Rate(null, high);
        }

        // All threads may want the cores at the same moment. Each then takes threads · cpu ÷ cores for its work.
        var low = Math.Min(high, PerSecond(threads, blocked + (threads * cpu / cores)));
        return new Rate(low, high);
    }

    private static double PerSecond(double servers, Duration time) => servers / time.TotalSeconds;
}
