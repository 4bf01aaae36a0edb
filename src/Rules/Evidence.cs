using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>
/// What is known about a call site, or about all places of an endpoint, and where the knowledge comes from. Don't mix measured and sampled
/// time: a measured wait has an observed beginning and end, a hit is one snapshot of one request, and a share is an estimate.
/// </summary>
/// <param name="Waits">How many waits the hook or an event timed.</param>
/// <param name="Measured">How long the threads were blocked in them.</param>
/// <param name="Hits">How many waits the stack samples hit.</param>
/// <param name="Sampled">
/// How long the sampled waits were seen to last, and the share of the endpoint's blocked time that their number supports.
/// </param>
internal readonly record struct Evidence(long Waits, Duration Measured, int Hits, Duration Sampled)
{
    /// <summary>With fewer hits, don't estimate a share: a place that was hit twice by chance would get all of it.</summary>
    public const int HitsForAShare = 5;

    /// <summary>With fewer hits, no place is described as most of the blocked time.</summary>
    public const int HitsForMost = 20;

    /// <summary>Measured waits represent an endpoint once this many of its requests were watched.</summary>
    public const int WatchedRequests = 5;

    /// <summary>A place that one hit has shown is reported only if the wait was seen for at least this long.</summary>
    public static readonly Duration LeastOfOneHit = 50 * Duration.Millisecond;

    /// <summary>The least that a command of a provider must have waited to be named when there are only a few.</summary>
    public static readonly Duration LeastOfOneCommand = 10 * Duration.Millisecond;

    private const double MostOfIt = 0.5;

    // Below this share of an endpoint's blocked time, a place isn't where the time goes.
    private const double HardlyAnything = 0.1;

    // The standard normal quantile for a two-sided 95 % interval.
    private const double Z = 1.96;

    public bool IsMeasured => Waits > 0;

    /// <summary>Whether this is enough to judge later requests by.</summary>
    public bool IsEnough => Waits >= WatchedRequests || Hits >= HitsForAShare;

    /// <summary>
    /// Whether a place that samples have shown may be named as the endpoint's: either there are enough hits, or they saw a relevant part of
    /// its blocked time. A cold request's only hit says nothing about the others.
    /// </summary>
    /// <param name="blocked">The blocked time of all of the endpoint's requests, without what is allowed.</param>
    public bool IsWorthNaming(Duration blocked) =>
        Hits >= HitsForAShare || (Hits > 0 && Measured + Sampled >= blocked * HardlyAnything);

    /// <summary>The rest without a part of it, which may have been read a moment later.</summary>
    public Evidence Without(Evidence part) => new(
        Math.Max(0, Waits - part.Waits), (Measured - part.Measured).OrZero(), Math.Max(0, Hits - part.Hits),
        (Sampled - part.Sampled).OrZero());

    public static Evidence operator +(Evidence one, Evidence other) => new(
        one.Waits + other.Waits, one.Measured + other.Measured, one.Hits + other.Hits, one.Sampled + other.Sampled);

    /// <summary>Whether these hits are more than half of all, with 95 % certainty.</summary>
    /// <param name="hits">The hits at the place.</param>
    /// <param name="all">All hits of the endpoint.</param>
    /// <param name="atLeast">The minimum number of hits in total.</param>
    public static bool IsMost(int hits, int all, int atLeast) => all >= atLeast && LowestShare(hits, all) > MostOfIt;

    /// <summary>The lower end of the share, with 95 % certainty (Wilson's interval).</summary>
    public static double LowestShare(int hits, int all)
    {
        if (all <= 0)
        {
            return 0;
        }

        var share = (double)hits / all;
        var middle = share + (Z * Z / (2 * all));
        var half = Z * Math.Sqrt(((share * (1 - share)) + (Z * Z / (4 * all))) / all);
        return Math.Max(0, (middle - half) / (1 + (Z * Z / all)));
    }
}
