using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>What windows have shown about one endpoint, and whether it needs another window.</summary>
internal sealed class EndpointSampling
{
    /// <summary>How many hits are enough to share out the endpoint's time. After that, windows are rare.</summary>
    public const int EnoughHits = Evidence.HitsForMost;

    /// <summary>How many hits are enough in any case.</summary>
    public const int MostHits = 60;

    // A stall of the machine lasts as long as dozens of short waits, and would claim their share.
    private const double MostOfOneHit = 0.125;

    // The unexplained time to tolerate, as a fraction of one thread.
    private const double MostUnexplained = 0.05;

    // A smaller share of the blocked time is within what the hook and the thread's clock differ by.
    private const double LeastUnexplained = 0.02;

    // Give the wait hook a moment first. If it explains everything, no window is needed.
    private const int SecondsOver = 2;

    // After this many windows without a hit, stop looking for a while.
    private const int MostMisses = 5;

    private readonly Dictionary<BlockingSite, SeenTime> _seen = [];
    private Duration _nowhere;
    private (Duration WithoutPlace, Duration Blocked) _before;
    private Timestamp _at;
    private Duration _settledAt;
    private Duration _allSeen;
    private Duration _longest;
    private int _hits;
    private bool _hasNewHits;
    private int _secondsOver;
    private int _misses;
    private Timestamp _learnedAt;

    /// <summary>Whether any site has enough hits to get a share.</summary>
    public bool CanShare => _seen.Values.Any(seen => seen.Hits >= Evidence.HitsForAShare);

    /// <summary>
    /// Blocked time that no site has counted, but that windows must not share out. It came while the hook explained what it watched, so it
    /// belongs to the sites that the hook saw then. It stays the same once windows have seen enough of a site.
    /// </summary>
    public Duration Forgone { get; private set; }

    private bool HasEnough =>
        _hits >= MostHits || (_hits >= EnoughHits && _longest <= _allSeen * MostOfOneHit);

    private static Duration LookAgainAfter => 180 * Duration.Second;

    /// <summary>Whether nothing has changed since it was settled.</summary>
    public bool IsSettled(Duration blocked) => blocked == _settledAt && !_hasNewHits;

    /// <summary>Records that all the time that can be assigned was assigned.</summary>
    public void Settle(Duration blocked) => (_settledAt, _hasNewHits) = (blocked, false);

    /// <summary>Leaves the time without a site to the hook's sites.</summary>
    public void Forgo(Duration left) => Forgone = left.OrZero();

    /// <summary>Records a second that brought nothing.</summary>
    public void Rest(Timestamp now) => (_secondsOver, _at) = (0, now);

    /// <summary>Notes how much of the endpoint's time is unexplained, about once a second.</summary>
    /// <param name="withoutPlace">The time since startup that neither the hook nor a measurement has given to a site.</param>
    /// <param name="blocked">The blocked time since startup, outside of collections.</param>
    /// <param name="explained">
    /// The share that the hook explains of the requests that it watches. Most requests aren't watched, so it stands for all of them.
    /// </param>
    public void Update(Duration withoutPlace, Duration blocked, double explained, Timestamp now)
    {
        if (_at != default && now > _at)
        {
            var unexplained = Duration.Min(withoutPlace - _before.WithoutPlace, (1 - explained) * (blocked - _before.Blocked));
            var isOver = 1 - explained >= LeastUnexplained && unexplained.RatioTo(now - _at) > MostUnexplained;
            _secondsOver = isOver ? _secondsOver + 1 : 0;
        }

        (_before, _at) = ((withoutPlace, blocked), now);
    }

    /// <param name="isHookLearning">Whether the hook watches the endpoint's next requests, so that it would see all of their waits.</param>
    public bool IsDue(bool isHookLearning, Timestamp now) =>
        _secondsOver >= (isHookLearning ? SecondsOver * 3 : SecondsOver)
        && ((!HasEnough && _misses < MostMisses) || now - _learnedAt >= LookAgainAfter);

    /// <summary>Called when a window begins. Halves findings that are old, so that a change shows.</summary>
    public void Begin(Timestamp now)
    {
        if ((HasEnough || _misses >= MostMisses) && now - _learnedAt >= LookAgainAfter)
        {
            (_hits, _allSeen, _longest, _nowhere) = (_hits / 2, _allSeen / 2L, _longest / 2L, _nowhere / 2L);
            _misses = 0;
            foreach (var site in _seen.Keys)
            {
                _seen[site] = new SeenTime(_seen[site].Length / 2L, _seen[site].Hits / 2);
            }
        }
    }

    /// <param name="site">The site of the wait.</param>
    /// <param name="length">How long the wait lasted.</param>
    /// <param name="isTimed">
    /// Whether the hook times the wait. If so, it is already counted at its site, and only shows how the rest divides.
    /// </param>
    public void Hit(BlockingSite site, Duration length, bool isTimed = false)
    {
        var seen = _seen.GetValueOrDefault(site);
        _seen[site] = new SeenTime(seen.Length + length, seen.Hits + (isTimed ? 0 : 1));
        _allSeen += length;
        _longest = Duration.Max(_longest, length);
        _hits += isTimed ? 0 : 1;
        _hasNewHits = true;
    }

    /// <summary>Records time in which a thread was idle and nothing on its stack waited. No site may get it.</summary>
    public void HitNowhere(Duration length) => _nowhere += length;

    /// <summary>Called when the window is over.</summary>
    public void End(bool hasHits, Timestamp now)
    {
        _misses = hasHits ? 0 : _misses + 1;
        if (HasEnough || _misses >= MostMisses)
        {
            _learnedAt = now;
        }
    }

    /// <summary>
    /// Divides time among the endpoint's sites, so that their totals match the ratio of what was seen. No site loses time.
    /// </summary>
    /// <param name="of">The endpoint, and its time to divide.</param>
    public IEnumerable<(BlockingSite Site, Duration Part)> Share(IEnumerable<BlockingSite> sites, BlockedTime of) =>
        SharedTime.Divide(_seen, _nowhere, sites, of);
}
