using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Requests.Counts;

/// <summary>
/// What the hook saw of one endpoint's blocked requests, and whether to watch its next requests. Created when the endpoint first blocks, so
/// one that never blocks has none.
/// </summary>
internal sealed class EndpointWaits
{
    // This many watched requests that blocked are enough to know the sites, if the sites explain this share of the time.
    private const int EnoughRequests = Evidence.WatchedRequests;
    public const double EnoughExplained = 0.9;

    // If the hook saw less than this share of the blocked time, the site is insignificant and must not be named as the place.
    private const double HardlyExplained = 0.1;

    // Blocking that the hook cannot see (Thread.Sleep) stays unexplained forever, and must not keep an endpoint armed forever.
    private const int MostRequests = 50;

    // An endpoint that a stall of the machine blocked once may never block again.
    private const int MostIdleTurns = 500;
    private const int MostIdleTurnsIfRare = 50;

    // After that, watch a few a minute, to keep the counts live and to notice new sites.
    private static Duration SampleEvery => 15 * Duration.Second;

    // The shares describe the last minutes: older requests count half, once enough new ones have arrived.
    private static Duration HalveEvery => 60 * Duration.Second;

    private const int HalveAfter = 20;

    private Duration _watched;
    private Duration _blocked;
    private Duration _explained;
    private Duration _locks;
    private Duration _outsideProvider;
    private int _requests;
    private int _unplacedHits;
    private int _requestsAtHalving;
    private int _isWarm;
    private Timestamp _halvedAt;
    private int _idleTurns;
    private Timestamp _lastSampledAt;
    private volatile bool _isLearning = true;

    /// <summary>The share of blocked time in the last minutes that call sites account for; null before a watched request blocked.</summary>
    public double? Explained => Share(Counter.Read(ref _explained), Counter.Read(ref _blocked));

    /// <summary>The blocked time of all watched requests.</summary>
    public Duration Watched => Counter.Read(ref _watched);

    /// <summary>What the watched requests showed.</summary>
    public WaitsSeen Seen => Explained switch
    {
        null => WaitsSeen.NotLooked,
        < HardlyExplained => WaitsSeen.NothingFound,
        _ => WaitsSeen.Found,
    };

    /// <summary>
    /// The share of locks, where they aren't allowed, in the blocked time of the last minutes outside of a database provider. A provider's
    /// time is known for every request, and one long command among the few watched requests must not hide the locks of all.
    /// </summary>
    public double LockShare => Share(Counter.Read(ref _locks), Counter.Read(ref _outsideProvider)) ?? 0;

    /// <summary>How many watched requests blocked in the last minutes.</summary>
    public int Requests => Volatile.Read(ref _requests);

    /// <summary>How many stack samples found an idle thread without a known place.</summary>
    public int UnplacedHits => Volatile.Read(ref _unplacedHits);

    public bool IsLearning => _isLearning;

    /// <summary>The shortest wait that counts.</summary>
    public Duration Minimum { get; init; }

    /// <summary>
    /// Whether most requests may have no such waits: before routing, or in work that outlives the request. Fewer of them are watched before
    /// learning ends.
    /// </summary>
    public bool IsRare { get; init; }

    /// <summary>Takes the turn to be watched, for the request that begins now.</summary>
    /// <returns>False if the hook isn't to watch it.</returns>
    public bool TryTakeTurn(Timestamp now)
    {
        if (_isLearning)
        {
            if (Interlocked.Increment(ref _idleTurns) >= (IsRare ? MostIdleTurnsIfRare : MostIdleTurns))
            {
                EndLearning(now);
            }

            return true;
        }

        var last = Counter.Read(ref _lastSampledAt);
        return now - last >= SampleEvery && Counter.TryReplace(ref _lastSampledAt, last, now);
    }

    /// <summary>
    /// Whether to watch a request that begins now: all while the sites are being learned, and a few a minute once they are known. Changes
    /// nothing.
    /// </summary>
    public bool IsDue(Timestamp now) => _isLearning || now - Counter.Read(ref _lastSampledAt) >= SampleEvery;

    /// <summary>Called when a request has blocked or hangs, watched or not. Learns again if its waits aren't known.</summary>
    public void OnBlocked()
    {
        if (!AreKnown)
        {
            BeginLearning();
        }
    }

    /// <summary>Counts a stack sample that found an idle thread without a known place.</summary>
    public void AddUnplacedHit() => Interlocked.Increment(ref _unplacedHits);

    /// <param name="blocked">The blocked time of a watched request.</param>
    /// <param name="explained">The part that its call sites account for.</param>
    /// <param name="locks">The part of that at locks.</param>
    /// <param name="isWarm">
    /// Whether the request is warm. Cold requests also wait for one-time initialization, and statements about the mean warm request must
    /// not be based on that.
    /// </param>
    /// <param name="provider">The part of the blocked time in a database provider that is synchronous inside.</param>
    public void Add(Duration blocked, Duration explained, Duration locks, Timestamp now, bool isWarm = true, Duration provider = default)
    {
        // A wait may have ended in a segment that is still open, on another of the request's threads.
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
        Counter.Add(ref _outsideProvider, (blocked - provider).OrZero());
        Interlocked.Increment(ref _requests);
        if (!AreKnown)
        {
            BeginLearning();
        }
        else if (_isLearning)
        {
            EndLearning(now);
        }
    }

    private bool AreKnown => Requests >= MostRequests
        || (Volatile.Read(ref _isWarm) != 0 && Requests >= EnoughRequests && Explained >= EnoughExplained);

    // If two requests arrive at the same time, both may be forgotten with the cold ones; the next few replace them.
    private void ForgetTheCold()
    {
        if (Volatile.Read(ref _isWarm) == 0 && Interlocked.Exchange(ref _isWarm, 1) == 0)
        {
            Counter.Write(ref _blocked, Duration.Zero);
            Counter.Write(ref _explained, Duration.Zero);
            Counter.Write(ref _locks, Duration.Zero);
            Counter.Write(ref _outsideProvider, Duration.Zero);
            Volatile.Write(ref _requests, 0);
            Volatile.Write(ref _requestsAtHalving, 0);
            Volatile.Write(ref _unplacedHits, 0);
        }
    }

    // A request that is added at the same time keeps its weight or loses half of it. Among twenty or more that doesn't matter.
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
        Halve(ref _outsideProvider);
    }

    private static void Halve(ref Duration sum) => Counter.Add(ref sum, Duration.Zero - (Counter.Read(ref sum) / 2));

    private void BeginLearning()
    {
        Volatile.Write(ref _idleTurns, 0);
        _isLearning = true;
    }

    private void EndLearning(Timestamp now)
    {
        Counter.Write(ref _lastSampledAt, now);
        _isLearning = false;
    }

    private static double? Share(Duration part, Duration whole) => whole <= Duration.Zero ? null : Math.Min(1, part.RatioTo(whole));
}
