using System.Reflection;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// All counts for one endpoint. Each core adds to its own cell, so that cores don't contend for a cache line; the reader sums the cells.
/// </summary>
internal sealed class EndpointTotals(string endpoint, string? route, string method)
{
    /// <summary>The number of cold requests.</summary>
    public const int ColdRequests = Verdicts.ColdRequests;

    private static readonly int s_cellMask = CellCount() - 1;

    private readonly CoreCounter _inFlight = new(s_cellMask + 1);
    private int _armed;
    private Counts _counts = new();
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
    public string? Provider { get; set; }

    /// <summary>Whether to follow what runs after the pipeline.</summary>
    public CompletionWatch Completions { get; } = new();

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

    public void Begin() => _inFlight.Add(CellOfCore, 1);

    /// <summary>Whether a request that began at that time is warm.</summary>
    public bool IsWarm(Timestamp startedAt) => _counts.IsWarm(startedAt);

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
        var core = CellOfCore;
        _inFlight.Add(core, -1);
        var counts = _counts;
        var cell = counts.Cells[core];
        var cold = counts.IsCold(endedAt - duration, endedAt) ? counts.Cold : null;
        if ((outcome & RequestOutcome.LongLived) == 0)
        {
            cold?.AddDuration(duration, whole.Held);
            cell.AddDuration(duration, whole.Held);
            counts.Durations.Add(duration, core);
        }

        if (waits is not null && waits.Provider > Duration.Zero)
        {
            cold?.AddProvider(waits.Provider, waits.ProviderRetries);
            cell.AddProvider(waits.Provider, waits.ProviderRetries);
        }

        var allowed = whole.Blocked > Duration.Zero ? AllowedPart(whole.Blocked, waits) : Duration.Zero;
        cold?.AddRequest(whole, allowed, segments, outcome);

        // Must be last: a request that is counted has all of its figures. Take back what it handed over while it ran, because that is now
        // part of the whole.
        if (rest == whole)
        {
            cell.AddRequest(whole, allowed, segments, outcome);
        }
        else
        {
            counts.Running.Begin();
            counts.Running.Add(rest - whole);
            cell.AddRequest(whole, allowed, segments, outcome);
            counts.Running.End();
        }
    }

    /// <summary>Adds held time of a request that is still running, or that arrived after the request was counted.</summary>
    /// <param name="split">The new time.</param>
    /// <param name="whole">All of the request's time so far: no mean may exceed the maximum of a single request.</param>
    public void AddRunning(HeldSplit split, HeldSplit whole)
    {
        var counts = _counts;
        counts.Running.Begin();
        counts.Running.Add(split);
        counts.Running.End();
        counts.Mine.RaiseMaxima(whole);
    }

    public void NoteBlockedAfterResponse(Duration blocked) => Counter.Raise(ref _blockedAfterResponse, blocked);

    public void AddAfterResponse(Duration held) => _counts.Mine.AddAfterResponse(held);

    /// <summary>Resets the counts. Requests in flight stay in flight.</summary>
    public void Reset()
    {
        _counts.Durations.Release();
        _counts = new Counts();
        Volatile.Write(ref _waits, null);
        Volatile.Write(ref _lateWaits, null);
        Counter.Write(ref _blockedAfterResponse, Duration.Zero);
    }

    /// <param name="pool">The pool since the last interval ended.</param>
    public EndpointFigures Read(PoolInterval pool = default)
    {
        var counts = _counts;
        var sum = counts.Sum();
        return new EndpointFigures(
            this, _inFlight.Sum(), sum, counts.Durations, counts.History.Read(WarmSum.From(sum, counts.Cold), pool));
    }

    /// <summary>Records the sums at the end of an interval.</summary>
    public void CloseInterval(PoolInterval pool)
    {
        var counts = _counts;
        var sum = counts.Sum();
        if (sum.Requests > 0)
        {
            counts.History.Close(WarmSum.From(sum, counts.Cold), pool);
        }
    }

    /// <summary>Blocked time that isn't allowed.</summary>
    public Duration SumBlocked()
    {
        var blocked = Duration.Zero;
        foreach (var cell in _counts.Cells)
        {
            blocked += Counter.Read(ref cell.Blocked) - Counter.Read(ref cell.Allowed);
        }

        return blocked;
    }

    /// <summary>
    /// The parts of blocked time that can't have a call site: while the collector paused the process, and waits inside a database provider.
    /// </summary>
    public (Duration InGc, Duration InProvider) SumPlaceless()
    {
        var (inGc, inProvider) = (Duration.Zero, Duration.Zero);
        foreach (var cell in _counts.Cells)
        {
            inGc += Counter.Read(ref cell.BlockedInGc);
            inProvider += Counter.Read(ref cell.Provider);
        }

        return (inGc, inProvider);
    }

    public (long Requests, Duration Cpu) SumRequestsAndCpu()
    {
        var counts = _counts;
        return counts.Running.Read(() =>
        {
            var (requests, cpu) = (0L, counts.Running.Cpu);
            foreach (var cell in counts.Cells)
            {
                (requests, cpu) = (requests + Volatile.Read(ref cell.Requests), cpu + Counter.Read(ref cell.Cpu));
            }

            return (requests, cpu);
        });
    }

    /// <summary>
    /// The requests that have ended, each with its figures at that moment: what the metrics record. None of these ever decreases, except on
    /// a reset.
    /// </summary>
    public (long Requests, HeldSplit Held) ReadEnded()
    {
        var (requests, held) = (0L, default(HeldSplit));
        foreach (var cell in _counts.Cells)
        {
            requests += Volatile.Read(ref cell.Requests);
            held += cell.ReadHeld();
        }

        return (requests, held);
    }

    // On an endpoint marked AllowBlocking, only waits inside BlockingScope.Disallow count as not allowed. Elsewhere only waits seen under a
    // permission count as allowed.
    private Duration AllowedPart(Duration blocked, RequestWaits? waits)
    {
        var allowed = AllowReason is null ? waits?.Allowed
            ?? Duration.Zero : blocked - (waits is null ? Duration.Zero : waits.Explained - waits.Allowed);
        return Duration.Clamp(allowed, Duration.Zero, blocked);
    }

    private static int CellOfCore => Thread.GetCurrentProcessorId() & s_cellMask;

    private static int CellCount() => (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Min(16, Environment.ProcessorCount));

    private sealed class Counts
    {
        public readonly EndpointCell[] Cells = [.. Enumerable.Range(0, s_cellMask + 1).Select(_ => new EndpointCell())];
        public readonly EndpointCell Cold = new();
        public readonly RunningHeld Running = new();
        public readonly DurationHistogram Durations = new(s_cellMask + 1);
        public readonly EndpointHistory History = new();
        private int _coldLeft = ColdRequests;
        private Timestamp _warmSince;

        public EndpointCell Mine => Cells[CellOfCore];

        /// <summary>
        /// The first few requests to end are cold, and so is every request that began before those ended: in a burst on a cold endpoint,
        /// each request waits for the one JIT compiler.
        /// </summary>
        public bool IsCold(Timestamp startedAt, Timestamp endedAt)
        {
            if (Volatile.Read(ref _coldLeft) > 0 && Interlocked.Decrement(ref _coldLeft) is >= 0 and var left)
            {
                if (left == 0 && endedAt != default)
                {
                    Counter.Write(ref _warmSince, endedAt);
                }

                return true;
            }

            return endedAt != default && startedAt < Counter.Read(ref _warmSince);
        }

        /// <summary>Whether a request that began at that time is warm.</summary>
        public bool IsWarm(Timestamp startedAt) => Counter.Read(ref _warmSince) is var since && since != default && startedAt >= since;

        public EndpointCell Sum() => Running.Read(() =>
        {
            var sum = new EndpointCell();
            foreach (var cell in Cells)
            {
                cell.AddTo(sum);
            }

            Running.AddTo(sum);
            return sum;
        });
    }
}
