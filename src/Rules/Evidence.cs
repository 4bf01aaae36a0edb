using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>
/// What is known about a call site, or about all places of an endpoint, by where it comes from. Measured and sampled time must not be
/// mixed up: a measured wait was seen to begin and end, a hit is one look at one request at one moment, and a share is an estimate.
/// </summary>
/// <param name="Waits">How many waits the hook or an event timed.</param>
/// <param name="Measured">How long they lasted.</param>
/// <param name="Hits">How many waits stack samples met.</param>
/// <param name="Sampled">How long those were seen to last, and the share of the endpoint's blocked time that their number supports.</param>
internal readonly record struct Evidence(long Waits, Duration Measured, int Hits, Duration Sampled)
{
    /// <summary>With fewer hits there is no share: one place that was met twice by chance would get all of it.</summary>
    public const int HitsForAShare = 5;

    /// <summary>With fewer hits no place is called most of it.</summary>
    public const int HitsForMost = 20;

    /// <summary>Measured waits speak for an endpoint once so many of its requests were watched.</summary>
    public const int WatchedRequests = 5;

    private const double MostOfIt = 0.5;

    // Of the normal distribution, for 95 % between both ends.
    private const double Z = 1.96;

    public bool IsMeasured => Waits > 0;

    /// <summary>Whether one look is all there is: it names a place and nothing more.</summary>
    public bool IsOneHit => Waits == 0 && Hits == 1;

    public static Evidence operator +(Evidence one, Evidence other) => new(
        one.Waits + other.Waits, one.Measured + other.Measured, one.Hits + other.Hits, one.Sampled + other.Sampled);

    /// <summary>Whether more than half of all hits are meant by these, with 95 % certainty.</summary>
    /// <param name="hits">Those at the place.</param>
    /// <param name="all">All of the endpoint's.</param>
    /// <param name="atLeast">How many there must be in all.</param>
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
