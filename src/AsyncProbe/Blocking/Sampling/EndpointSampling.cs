using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>What windows have shown of one endpoint, and whether it needs one.</summary>
internal sealed class EndpointSampling
{
    /// <summary>So many hits are enough to share out the endpoint's time; then one looks again now and then.</summary>
    public const int EnoughHits = Evidence.HitsForMost;

    /// <summary>So many are enough in any case.</summary>
    public const int MostHits = 60;

    // A stall of the machine lasts as long as dozens of short waits, and would take their time.
    private const double MostOfOneHit = 0.125;

    // Of one thread.
    private const double MostUnexplained = 0.05;

    // The wait hook needs a moment for its own look, and needs no help where that explains all.
    private const int SecondsOver = 2;

    // What windows do not see at all is not looked for again and again.
    private const int MostMisses = 5;

    private readonly Dictionary<BlockingSite, SeenTime> _seen = [];
    private Duration _nowhere;
    private Duration _before;
    private Timestamp _at;
    private Duration _settledAt;
    private Duration _allSeen;
    private Duration _longest;
    private int _hits;
    private bool _hasNewHits;
    private int _secondsOver;
    private int _misses;
    private Timestamp _learnedAt;

    /// <summary>Whether any site was hit often enough to get a share.</summary>
    public bool CanShare => _seen.Values.Any(seen => seen.Hits >= Evidence.HitsForAShare);

    /// <summary>
    /// Blocked time that no site has counted and that is no window's all the same: it came while the hook explained what it watched, and is
    /// of the sites that it saw then.
    /// </summary>
    public Duration Forgone { get; private set; }

    private bool HasEnough =>
        _hits >= MostHits || (_hits >= EnoughHits && _longest <= _allSeen * MostOfOneHit);

    private static Duration LookAgainAfter => 180 * Duration.Second;

    /// <summary>Whether nothing has come since it was settled.</summary>
    public bool IsSettled(Duration blocked) => blocked == _settledAt && !_hasNewHits;

    /// <summary>Notes that all was given out that can be.</summary>
    public void Settle(Duration blocked) => (_settledAt, _hasNewHits) = (blocked, false);

    /// <summary>Leaves to the hook's sites what has no site until now.</summary>
    public void Forgo(Duration left) => Forgone = left.OrZero();

    /// <summary>Notes that a second has brought nothing.</summary>
    public void Rest(Timestamp now) => (_secondsOver, _at) = (0, now);

    /// <summary>Notes where its unexplained time stands, about once a second.</summary>
    /// <param name="unexplained">All of it since the start.</param>
    /// <param name="now">The present.</param>
    public void Update(Duration unexplained, Timestamp now)
    {
        if (_at != default && now > _at)
        {
            _secondsOver = (unexplained - _before).RatioTo(now - _at) > MostUnexplained ? _secondsOver + 1 : 0;
        }

        (_before, _at) = (unexplained, now);
    }

    /// <param name="isHookLearning">Whether the hook watches its next requests: all of its waits would be seen with the hook.</param>
    /// <param name="now">The present.</param>
    public bool IsDue(bool isHookLearning, Timestamp now) =>
        _secondsOver >= (isHookLearning ? SecondsOver * 3 : SecondsOver)
        && ((!HasEnough && _misses < MostMisses) || now - _learnedAt >= LookAgainAfter);

    /// <summary>A window begins. What was seen long ago counts half from then on, so that a change shows.</summary>
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

    /// <param name="site">Where.</param>
    /// <param name="length">For how long.</param>
    /// <param name="isTimed">Whether the hook times it: then it has its site already, and only says how the rest divides.</param>
    public void Hit(BlockingSite site, Duration length, bool isTimed = false)
    {
        var seen = _seen.GetValueOrDefault(site);
        _seen[site] = new SeenTime(seen.Length + length, seen.Hits + (isTimed ? 0 : 1));
        _allSeen += length;
        _longest = Duration.Max(_longest, length);
        _hits += isTimed ? 0 : 1;
        _hasNewHits = true;
    }

    /// <summary>Notes time in which a thread did nothing, and nothing on its stack waited: no site may have it.</summary>
    public void HitNowhere(Duration length) => _nowhere += length;

    /// <summary>The window is over.</summary>
    public void End(bool hasHits, Timestamp now)
    {
        _misses = hasHits ? 0 : _misses + 1;
        if (HasEnough || _misses >= MostMisses)
        {
            _learnedAt = now;
        }
    }

    /// <summary>
    /// Divides time among its sites so that all that they have comes to the ratio of what was seen. Nobody gives anything back.
    /// </summary>
    /// <param name="blocked">What no site has.</param>
    /// <param name="unwatched">The endpoint's blocked time in requests without the hook.</param>
    /// <param name="endpoint">Whose.</param>
    public IEnumerable<(BlockingSite Site, Duration Part)> Share(Duration blocked, Duration unwatched, string endpoint) =>
        SharedTime.Divide(_seen, _nowhere, blocked, unwatched, endpoint);
}
