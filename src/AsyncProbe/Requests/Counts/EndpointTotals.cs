using System.Reflection;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Requests.Counts;

/// <summary>One endpoint or operation: what it is, its counts, and what is known about its waits.</summary>
internal sealed class EndpointTotals(string endpoint, string? route, string method)
{
    private readonly CoreCounter _inFlight = new(EndpointCounts.Cores);
    private int _armed;
    private EndpointWaits? _waits;
    private EndpointWaits? _lateWaits;
    private Duration _blockedAfterResponse;

    // Weak for a method that can be unloaded; routing keeps the method alive as long as its endpoint.
    private MethodInfo? _handler;
    private WeakReference<MethodInfo>? _passingHandler;

    /// <summary>The method and route template, as shown in the report.</summary>
    public string Endpoint { get; } = endpoint;

    /// <summary>The route template for the metric tag <c>http.route</c>, or an operation's name; null if nothing matched.</summary>
    public string? Route { get; } = route;

    /// <summary>The activity source of an operation; null for an endpoint.</summary>
    public string? Source { get; init; }

    /// <summary>Whether this is a unit of work other than a request.</summary>
    public bool IsOperation => Source is not null;

    /// <summary>Whether this collects requests that matched no route and have nothing in common.</summary>
    public bool IsMixed => Route is null && !IsOperation;

    /// <summary>Which table these totals are in: a process may have several hosts.</summary>
    public object? TableIdentity { get; init; }

    public string Method { get; } = method;

    /// <summary>True for AsyncProbe's own routes, which are not counted.</summary>
    public bool IsIgnored { get; init; }

    /// <summary>The reason of the endpoint's <see cref="AllowBlockingAttribute"/>; null if it has none.</summary>
    public string? AllowReason { get; init; }

    /// <summary>The method that the endpoint runs; null if unknown, or if several share the name.</summary>
    public MethodInfo? Handler
    {
        get => _handler ?? (_passingHandler is not null && _passingHandler.TryGetTarget(out var passing) ? passing : null);
        set
        {
            var isPassing = value is { IsCollectible: true };
            _passingHandler = isPassing ? new WeakReference<MethodInfo>(value!) : null;
            _handler = isPassing ? null : value;
        }
    }

    /// <summary>The database provider that ran the endpoint's commands, if it is synchronous inside; otherwise null.</summary>
    public SynchronousProvider? Provider { get; set; }

    /// <summary>Whether to follow what runs after the pipeline.</summary>
    public CompletionWatch Completions { get; } = new();

    /// <summary>Its counts since the last reset.</summary>
    public EndpointCounts Counts { get; private set; } = new();

    /// <summary>What is known about the endpoint's waits; null until it blocks.</summary>
    public EndpointWaits? Waits => Volatile.Read(ref _waits);

    /// <summary>Whether the endpoint's waits have been watched, and what was found.</summary>
    public WaitsSeen WaitsSeen => Waits?.Seen ?? WaitsSeen.NotLooked;

    /// <summary>
    /// Updates the method for an endpoint with this name. It may be a second method with the same name, or a new version of one that was
    /// unloaded.
    /// </summary>
    public void UpdateHandler(MethodInfo? handler)
    {
        if (Handler != handler)
        {
            Handler = _passingHandler is not null && Handler is null ? handler : null;
        }
    }

    /// <summary>What is known about the waits of work that outlives its request; null until such work blocks.</summary>
    public EndpointWaits? LateWaits => Volatile.Read(ref _lateWaits);

    /// <summary>The longest uninterrupted time that work after a response was blocked.</summary>
    public Duration BlockedAfterResponse => Counter.Read(ref _blockedAfterResponse);

    public bool TrySetLateWaits(EndpointWaits waits) => Interlocked.CompareExchange(ref _lateWaits, waits, null) is null;

    public bool TrySetWaits(EndpointWaits waits) => Interlocked.CompareExchange(ref _waits, waits, null) is null;

    /// <summary>Counts one more request that carries the wait hook.</summary>
    /// <returns>False if the limit is reached.</returns>
    public bool TryTakeArmed(int limit) => Counter.TryRaise(ref _armed, limit);

    public void ReleaseArmed() => Interlocked.Decrement(ref _armed);

    public void Begin() => _inFlight.Add(EndpointCounts.Core, 1);

    /// <param name="whole">The request's figures.</param>
    /// <param name="rest">The part that was not yet handed over while the request ran.</param>
    /// <param name="segments">How many segments it had.</param>
    /// <param name="duration">From the middleware's entry to its end.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="waits">What is known about the request's waits; null if nothing is.</param>
    /// <param name="endedAt">When it ended; the default if unknown.</param>
    public void End(
        HeldSplit whole, HeldSplit rest, int segments, Duration duration, RequestOutcome outcome, RequestWaits? waits = null,
        Timestamp endedAt = default)
    {
        _inFlight.Add(EndpointCounts.Core, -1);
        var allowed = whole.Blocked > Duration.Zero ? AllowedPart(whole.Blocked, waits) : Duration.Zero;
        Counts.Add(whole, rest, allowed, segments, duration, outcome, waits, endedAt);
    }

    public void NoteBlockedAfterResponse(Duration blocked) => Counter.Raise(ref _blockedAfterResponse, blocked);

    /// <summary>Resets the counts. Requests in flight stay in flight.</summary>
    public void Reset()
    {
        Counts.Release();
        Counts = new();
        Volatile.Write(ref _waits, null);
        Volatile.Write(ref _lateWaits, null);
        Counter.Write(ref _blockedAfterResponse, Duration.Zero);
    }

    /// <param name="pool">The pool since the last interval ended.</param>
    public EndpointFigures Read(PoolInterval pool = default) => Counts.Read(this, _inFlight.Sum(), pool);

    // On an endpoint marked AllowBlocking, only waits inside BlockingScope.Disallow count as not allowed. Elsewhere only waits seen under a
    // permission count as allowed.
    private Duration AllowedPart(Duration blocked, RequestWaits? waits)
    {
        var allowed = (AllowReason, waits) switch
        {
            (null, null) => Duration.Zero,
            (null, { } seen) => seen.Allowed,
            (_, null) => blocked,
            (_, { } seen) => blocked - (seen.Explained - seen.Allowed) - seen.Disallowed,
        };
        return Duration.Clamp(allowed, Duration.Zero, blocked);
    }
}
