using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// One endpoint's blocked requests, as far as the hook watched them, and whether its next requests are to be watched. Made when the
/// endpoint first blocks, so a clean one has none.
/// </summary>
internal sealed class EndpointWaits
{
    // So many watched requests that blocked are enough to know the sites, if those explain this share of the time.
    private const int EnoughRequests = 5;
    public const double EnoughExplained = 0.9;

    // With less than this of the blocked time, what the hook saw is a trifle, and must not be named as the place.
    private const double HardlyExplained = 0.1;

    // What the hook cannot see (Thread.Sleep) stays unexplained for ever, and must not keep an endpoint armed for ever.
    private const int MostRequests = 50;

    // Then a few a minute, to keep the counts live and to notice new sites.
    private const long SampleEvery = 15 * Nanoseconds.PerSecond;

    // The shares speak of the last minutes: what is older counts half, once enough has come since.
    private const long HalveEvery = 60 * Nanoseconds.PerSecond;
    private const int HalveAfter = 20;

    private long _watched;
    private long _blocked;
    private long _explained;
    private long _locks;
    private int _requests;
    private int _requestsAtHalving;
    private long _halvedAt;
    private int _asked;
    private long _lastSampledAt;
    private volatile bool _isLearning = true;

    /// <summary>Share of the blocked time of the last minutes that call sites account for; null before a watched request blocked.</summary>
    public double? Explained => Share(Volatile.Read(ref _explained));

    /// <summary>Blocked time of all watched requests, in nanoseconds.</summary>
    public long Watched => Volatile.Read(ref _watched);

    /// <summary>What the watched requests have shown.</summary>
    public WaitsSeen Seen => Explained switch
    {
        null => WaitsSeen.NotLooked,
        < HardlyExplained => WaitsSeen.NothingFound,
        _ => WaitsSeen.Found,
    };

    /// <summary>Whether the endpoint blocks where the hook sees next to nothing: in Thread.Sleep, file I/O or native code.</summary>
    public bool IsHardlyExplained => Seen == WaitsSeen.NothingFound;

    /// <summary>Share of the blocked time of the last minutes spent at locks.</summary>
    public double LockShare => Share(Volatile.Read(ref _locks)) ?? 0;

    public bool IsLearning => _isLearning;

    /// <summary>The shortest wait that counts, in nanoseconds.</summary>
    public long Minimum { get; init; }

    /// <summary>Whether it is about work that requests leave behind. Most of them may leave none that blocks, and must not be watched for ever.</summary>
    public bool IsLate { get; init; }

    /// <summary>Whether the hook is to watch the request that begins now.</summary>
    public bool Wants(long now)
    {
        if (_isLearning)
        {
            if (IsLate && Interlocked.Increment(ref _asked) >= MostRequests)
            {
                EndLearning(now);
            }

            return true;
        }

        var last = Volatile.Read(ref _lastSampledAt);
        return now - last >= SampleEvery && Interlocked.CompareExchange(ref _lastSampledAt, now, last) == last;
    }

    /// <summary>Whether it is time for one of the few that are watched once the sites are known. Takes nothing.</summary>
    public bool IsSampleDue(long now) => now - Volatile.Read(ref _lastSampledAt) >= SampleEvery;

    /// <param name="blocked">Blocked time of a watched request, in nanoseconds.</param>
    /// <param name="explained">What its call sites account for.</param>
    /// <param name="locks">What of that was locks.</param>
    /// <param name="now">The present.</param>
    public void Add(long blocked, long explained, long locks, long now)
    {
        // A wait's duration may include the way back to a core, which is not blocked time.
        explained = Math.Min(explained, blocked);
        HalveIfDue(now);
        Interlocked.Add(ref _watched, blocked);
        Interlocked.Add(ref _blocked, blocked);
        Interlocked.Add(ref _explained, explained);
        Interlocked.Add(ref _locks, Math.Min(locks, explained));
        var requests = Interlocked.Increment(ref _requests);
        if (_isLearning)
        {
            if (requests >= MostRequests || (requests >= EnoughRequests && Explained >= EnoughExplained))
            {
                EndLearning(now);
            }
        }
        else if (requests < MostRequests && Explained < EnoughExplained)
        {
            _isLearning = true;
        }
    }

    // A request that is added meanwhile keeps its weight, or loses half of it: of twenty or more that is no matter.
    private void HalveIfDue(long now)
    {
        var last = Volatile.Read(ref _halvedAt);
        if (now - last < HalveEvery || (last != 0 && _requests - _requestsAtHalving < HalveAfter)
            || Interlocked.CompareExchange(ref _halvedAt, now, last) != last || last == 0)
        {
            return;
        }

        _requestsAtHalving = _requests;
        Halve(ref _blocked);
        Halve(ref _explained);
        Halve(ref _locks);
    }

    private static void Halve(ref long sum) => Interlocked.Add(ref sum, -(Volatile.Read(ref sum) / 2));

    private void EndLearning(long now)
    {
        Volatile.Write(ref _lastSampledAt, now);
        _isLearning = false;
    }

    private double? Share(long part)
    {
        var blocked = Volatile.Read(ref _blocked);
        return blocked == 0 ? null : Math.Min(1, (double)part / blocked);
    }
}
