using System.Diagnostics;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>
/// What is known about one request's waits. Created only for requests that are armed, or for which EF Core, a stack snapshot or a scope
/// reports blocked time.
/// </summary>
internal sealed class RequestWaits(Activity? activity)
{
    // OpenTelemetry's default limit of events per span. A WebSocket may wait for hours, thousands of times.
    private const int MaxEvents = 128;

    // Waits of middleware in front of routing; any more are dropped.
    private const int MaxEarly = 100;

    private readonly Lock _earlyLock = new();
    private List<(BlockingSite Site, Duration Duration)>? _early;
    private bool _isAttributed;
    private int _events;
    private Duration _explained;
    private Duration _late;
    private Duration _locks;
    private Duration _foreignLocks;
    private Duration _allowed;
    private Duration _disallowed;
    private Duration _provider;
    private Duration _providerRetries;
    private Longest? _longest;
    private Timestamp _writesFrom;
    private Timestamp _writesTo;
    private Duration _sampled;

    /// <summary>The request's span.</summary>
    public Activity? Activity { get; } = activity;

    /// <summary>Blocked time that call sites account for; 0 once the request has ended.</summary>
    public Duration Explained => Counter.Read(ref _explained);

    /// <summary>The part of it spent at locks, where that isn't allowed.</summary>
    public Duration Locks => Counter.Read(ref _locks);

    /// <summary>The part of <see cref="Locks"/> that belongs to the framework or a library.</summary>
    public Duration ForeignLocks => Counter.Read(ref _foreignLocks);

    /// <summary>The part of <see cref="Explained"/> that is allowed.</summary>
    public Duration Allowed => Counter.Read(ref _allowed);

    /// <summary>Blocked time beside <see cref="Explained"/>, inside scopes that report waits again.</summary>
    public Duration Disallowed => Counter.Read(ref _disallowed);

    /// <summary>Blocked time in a database provider that is synchronous inside.</summary>
    public Duration Provider => Counter.Read(ref _provider);

    /// <summary>The part of it spent retrying a locked database.</summary>
    public Duration ProviderRetries => Counter.Read(ref _providerRetries);

    /// <summary>The site of the request's longest single wait, among the waits that are not allowed and that the report shows.</summary>
    public BlockingSite? LongestAt => Volatile.Read(ref _longest)?.Site;

    /// <summary>Notes that the request has opened a transaction in a database that lets one transaction write at a time.</summary>
    public void BeginWriting(Timestamp now)
    {
        Counter.Write(ref _writesTo, default);
        Counter.Write(ref _writesFrom, now);
    }

    /// <summary>Notes that the transaction has ended.</summary>
    public void EndWriting(Timestamp now) => Counter.Write(ref _writesTo, now);

    /// <summary>
    /// Counts the request at a call site where it waited, if it held up all other writers of its database then. Samples are looked at
    /// after the request may have ended, and only its last transaction is known then.
    /// </summary>
    /// <param name="site">The call site.</param>
    /// <param name="at">A time during the wait.</param>
    public void NoteWriter(BlockingSite site, Timestamp at)
    {
        var (from, to) = (Counter.Read(ref _writesFrom), Counter.Read(ref _writesTo));
        if (from != default && at >= from && (to == default || at < to))
        {
            site.NoteWriter();
        }
    }

    /// <summary>Whether the span may have one more event. Later waits are still counted.</summary>
    public bool MayAddEvent() => Counter.TryRaise(ref _events, MaxEvents);

    /// <summary>Keeps a wait until the request's endpoint is known.</summary>
    /// <returns>False if the endpoint is already known, or if there are too many waits.</returns>
    public bool TryKeep(Duration duration, BlockingSite site)
    {
        lock (_earlyLock)
        {
            if (_isAttributed || _early?.Count >= MaxEarly)
            {
                return false;
            }

            (_early ??= []).Add((site, duration));
            return true;
        }
    }

    /// <summary>Counts the kept waits, unless the endpoint is one of AsyncProbe's own routes.</summary>
    public void Attribute(EndpointTotals totals)
    {
        List<(BlockingSite Site, Duration Duration)>? early;
        lock (_earlyLock)
        {
            _isAttributed = true;
            (early, _early) = (_early, null);
        }

        if (!totals.IsIgnored)
        {
            early?.ForEach(wait => wait.Site.Add(wait.Duration, totals.Endpoint));
        }
    }

    public void Add(Duration duration, BlockingSite site)
    {
        Counter.Add(ref _explained, duration);
        if (site.IsAllowed)
        {
            Counter.Add(ref _allowed, duration);
        }
        else if (site.IsLock)
        {
            Counter.Add(ref _locks, duration);
            if (site.IsForeignLock)
            {
                Counter.Add(ref _foreignLocks, duration);
            }
        }

        AddSeen(duration, site);
    }

    /// <summary>
    /// The part of the request's blocked time that isn't counted at any call site. Windows and snapshots may see the same wait.
    /// </summary>
    /// <param name="blocked">The request's blocked time so far.</param>
    public Duration Uncounted(Duration blocked) => (blocked - Explained - Counter.Read(ref _sampled)).OrZero();

    /// <summary>Adds time that a window or a snapshot has counted.</summary>
    public void AddSampled(Duration duration) => Counter.Add(ref _sampled, duration);

    /// <summary>Adds a wait after the response.</summary>
    public void AddLate(Duration duration) => Counter.Add(ref _late, duration);

    /// <summary>The time these waits account for since the last call.</summary>
    public Duration TakeLate() => Counter.Take(ref _late);

    /// <summary>Adds a wait that a snapshot saw: it names a place, but its duration was not measured.</summary>
    public void AddSeen(Duration duration, BlockingSite site)
    {
        if (site.IsAllowed || !site.IsShown)
        {
            return;
        }

        var mine = new Longest(duration, site);
        var seen = Volatile.Read(ref _longest);
        while (seen is null || seen.Duration < duration)
        {
            var before = Interlocked.CompareExchange(ref _longest, mine, seen);
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }

    public void AddProvider(Duration blocked, bool isRetry)
    {
        Counter.Add(ref _provider, blocked);
        if (isRetry)
        {
            Counter.Add(ref _providerRetries, blocked);
        }
    }

    /// <summary>Adds blocked time that the hook cannot see, inside a scope that allows waits or that reports them again.</summary>
    public void AddUnseen(Duration duration, bool isAllowed)
    {
        if (isAllowed)
        {
            Counter.Add(ref _explained, duration);
            Counter.Add(ref _allowed, duration);
        }
        else
        {
            Counter.Add(ref _disallowed, duration);
        }
    }

    private sealed record Longest(Duration Duration, BlockingSite Site);
}
