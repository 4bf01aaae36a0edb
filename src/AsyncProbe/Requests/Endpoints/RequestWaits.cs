using System.Diagnostics;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>What is known of one request's waits. Made for armed requests and for those that EF Core blocked, and for no others.</summary>
internal sealed class RequestWaits(Activity? activity)
{
    // What OpenTelemetry keeps of a span by default. A WebSocket may wait for hours, thousands of times.
    private const int MaxEvents = 128;

    // Of middleware in front of routing; more are nobody's.
    private const int MaxEarly = 100;

    private readonly Lock _earlyLock = new();
    private List<(IWaitSite Site, Duration Duration)>? _early;
    private bool _isAttributed;
    private int _events;
    private Duration _explained;
    private Duration _late;
    private Duration _locks;
    private Duration _foreignLocks;
    private Duration _allowed;
    private Duration _provider;
    private Duration _providerRetries;
    private Longest? _longest;

    /// <summary>The request's span.</summary>
    public Activity? Activity { get; } = activity;

    /// <summary>Blocked time that call sites account for; 0 once the request has ended.</summary>
    public Duration Explained => Counter.Read(ref _explained);

    /// <summary>The part of it that was spent at locks, where that is not allowed.</summary>
    public Duration Locks => Counter.Read(ref _locks);

    /// <summary>The part of these that are the framework's or a library's own.</summary>
    public Duration ForeignLocks => Counter.Read(ref _foreignLocks);

    /// <summary>The part of it that is allowed.</summary>
    public Duration Allowed => Counter.Read(ref _allowed);

    /// <summary>Blocked time inside a database provider that is synchronous inside.</summary>
    public Duration Provider => Counter.Read(ref _provider);

    /// <summary>The part of it in which a locked database was tried again.</summary>
    public Duration ProviderRetries => Counter.Read(ref _providerRetries);

    /// <summary>Where the request waited longest in one go, among the waits that nobody allowed and that the report shows.</summary>
    public IWaitSite? LongestAt => Volatile.Read(ref _longest)?.Site;

    /// <summary>Whether the span may have one more event; later waits are counted all the same.</summary>
    public bool MayAddEvent() => Counter.TryRaise(ref _events, MaxEvents);

    /// <summary>Keeps a wait from before the request's endpoint is known.</summary>
    /// <returns>False when the endpoint is known by now, or when there are too many.</returns>
    public bool TryKeep(Duration duration, IWaitSite site)
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

    /// <summary>Counts what was kept, unless it is of AsyncProbe's own routes.</summary>
    public void Attribute(EndpointTotals totals)
    {
        List<(IWaitSite Site, Duration Duration)>? early;
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

    public void Add(Duration duration, IWaitSite site)
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

        Saw(duration, site);
    }

    /// <summary>A wait after the response.</summary>
    public void AddLate(Duration duration) => Counter.Add(ref _late, duration);

    /// <summary>What such waits account for since the last call.</summary>
    public Duration TakeLate() => Counter.Take(ref _late);

    /// <summary>A wait that a snapshot saw: it names a place, and its duration is nobody's measurement.</summary>
    public void Saw(Duration duration, IWaitSite site)
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

    /// <summary>Blocked time that the hook cannot see, inside a scope that allows it.</summary>
    public void AddAllowed(Duration duration)
    {
        Counter.Add(ref _explained, duration);
        Counter.Add(ref _allowed, duration);
    }

    private sealed record Longest(Duration Duration, IWaitSite Site);
}
