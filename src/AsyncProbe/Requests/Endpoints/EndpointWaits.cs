using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// One endpoint's blocked requests, as far as the hook watched them, and whether its next requests are to be watched. Made when the
/// endpoint first blocks, so a clean one has none.
/// </summary>
internal sealed class EndpointWaits
{
    // So many watched requests that blocked are enough to know the sites, if those explain this share of the time.
    private const int EnoughRequests = Evidence.WatchedRequests;
    public const double EnoughExplained = 0.9;

    // With less than this of the blocked time, what the hook saw is a trifle, and must not be named as the place.
    private const double HardlyExplained = 0.1;

    // What the hook cannot see (Thread.Sleep) stays unexplained for ever, and must not keep an endpoint armed for ever.
    private const int MostRequests = 50;

    // Then a few a minute, to keep the counts live and to notice new sites.
    private static Duration SampleEvery => 15 * Duration.Second;

    // The shares speak of the last minutes: what is older counts half, once enough has come since.
    private static Duration HalveEvery => 60 * Duration.Second;

    private const int HalveAfter = 20;

    private Duration _watched;
    private Duration _blocked;
    private Duration _explained;
    private Duration _locks;
    private int _requests;
    private int _unplacedHits;
    private int _requestsAtHalving;
    private int _isWarm;
    private Timestamp _halvedAt;
    private int _asked;
    private Timestamp _lastSampledAt;
    private volatile bool _isLearning = true;

    /// <summary>Share of the blocked time of the last minutes that call sites account for; null before a watched request blocked.</summary>
    public double? Explained => Share(Counter.Read(ref _explained));

    /// <summary>Blocked time of all watched requests.</summary>
    public Duration Watched => Counter.Read(ref _watched);

    /// <summary>What the watched requests have shown.</summary>
    public WaitsSeen Seen => Explained switch
    {
        null => WaitsSeen.NotLooked,
        < HardlyExplained => WaitsSeen.NothingFound,
        _ => WaitsSeen.Found,
    };

    /// <summary>Share of the blocked time of the last minutes spent at locks, where that is not allowed.</summary>
    public double LockShare => Share(Counter.Read(ref _locks)) ?? 0;

    /// <summary>How many watched requests blocked in the last minutes.</summary>
    public int Requests => Volatile.Read(ref _requests);

    /// <summary>How many stack samples found a thread that did nothing, and no place for it.</summary>
    public int UnplacedHits => Volatile.Read(ref _unplacedHits);

    public bool IsLearning => _isLearning;

    /// <summary>The shortest wait that counts.</summary>
    public Duration Minimum { get; init; }

    /// <summary>
    /// Whether it is about work that requests leave behind. Most of them may leave none that blocks, and must not be watched for ever.
    /// </summary>
    public bool IsLate { get; init; }

    /// <summary>Whether the hook is to watch the request that begins now.</summary>
    public bool Wants(Timestamp now)
    {
        if (_isLearning)
        {
            if (IsLate && Interlocked.Increment(ref _asked) >= MostRequests)
            {
                EndLearning(now);
            }

            return true;
        }

        var last = Counter.Read(ref _lastSampledAt);
        return now - last >= SampleEvery && Counter.TryReplace(ref _lastSampledAt, last, now);
    }

    /// <summary>Whether it is time for one of the few that are watched once the sites are known. Takes nothing.</summary>
    public bool IsSampleDue(Timestamp now) => now - Counter.Read(ref _lastSampledAt) >= SampleEvery;

    /// <summary>Counts a sample that shows nothing which waits.</summary>
    public void AddUnplacedHit() => Interlocked.Increment(ref _unplacedHits);

    /// <param name="blocked">Blocked time of a watched request.</param>
    /// <param name="explained">What its call sites account for.</param>
    /// <param name="locks">What of that was locks.</param>
    /// <param name="now">The present.</param>
    /// <param name="isWarm">
    /// Whether it is none of the endpoint's cold requests. Those also wait for what is made once: what is said of the mean warm request
    /// must not go by them.
    /// </param>
    public void Add(Duration blocked, Duration explained, Duration locks, Timestamp now, bool isWarm = true)
    {
        // A wait's duration may include the way back to a core, which is not blocked time.
        explained = Duration.Min(explained, blocked);
        HalveIfDue(now);
        Counter.Add(ref _watched, blocked);
        if (isWarm)
        {
            ForgetTheCold();
        }
        else if (Volatile.Read(ref _isWarm) != 0)
        {
            return;
        }

        Counter.Add(ref _blocked, blocked);
        Counter.Add(ref _explained, explained);
        Counter.Add(ref _locks, Duration.Min(locks, explained));
        var requests = Interlocked.Increment(ref _requests);
        if (_isLearning)
        {
            if (requests >= MostRequests || (isWarm && requests >= EnoughRequests && Explained >= EnoughExplained))
            {
                EndLearning(now);
            }
        }
        else if (requests < MostRequests && Explained < EnoughExplained)
        {
            _isLearning = true;
        }
    }

    // Two that come at once may both be forgotten with the cold ones; the next few replace them.
    private void ForgetTheCold()
    {
        if (Volatile.Read(ref _isWarm) == 0 && Interlocked.Exchange(ref _isWarm, 1) == 0)
        {
            Counter.Write(ref _blocked, Duration.Zero);
            Counter.Write(ref _explained, Duration.Zero);
            Counter.Write(ref _locks, Duration.Zero);
            Volatile.Write(ref _requests, 0);
            Volatile.Write(ref _requestsAtHalving, 0);
        }
    }

    // A request that is added meanwhile keeps its weight, or loses half of it: of twenty or more that is no matter.
    private void HalveIfDue(Timestamp now)
    {
        var last = Counter.Read(ref _halvedAt);
        if (now - last < HalveEvery || (last != default && _requests - _requestsAtHalving < HalveAfter)
            || !Counter.TryReplace(ref _halvedAt, last, now) || last == default)
        {
            return;
        }

        _requestsAtHalving = _requests;
        Halve(ref _blocked);
        Halve(ref _explained);
        Halve(ref _locks);
    }

    private static void Halve(ref Duration sum) => Counter.Add(ref sum, Duration.Zero - (Counter.Read(ref sum) / 2));

    private void EndLearning(Timestamp now)
    {
        Counter.Write(ref _lastSampledAt, now);
        _isLearning = false;
    }

    private double? Share(Duration part)
    {
        var blocked = Counter.Read(ref _blocked);
        return blocked == Duration.Zero ? null : Math.Min(1, part.RatioTo(blocked));
    }
}
