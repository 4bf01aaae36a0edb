using System.Reflection;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Everything counted for one endpoint. Each core adds to a cell of its own, so that cores do not fight over a cache line; the reader
/// sums the cells.
/// </summary>
internal sealed class EndpointTotals(string endpoint, string? route, string method)
{
    /// <summary>So many requests are cold.</summary>
    public const int ColdRequests = Verdicts.ColdRequests;

    private static readonly int s_cellMask = CellCount() - 1;

    private readonly CoreCounter _inFlight = new(s_cellMask + 1);
    private int _armed;
    private Counts _counts = new();
    private EndpointWaits? _waits;
    private EndpointWaits? _lateWaits;
    private Duration _blockedAfterResponse;

    // Weak for a method that can be unloaded: routing keeps it as long as its endpoint.
    private MethodInfo? _handler;
    private WeakReference<MethodInfo>? _passingHandler;

    /// <summary>Method and route template, as the report names the endpoint.</summary>
    public string Endpoint { get; } = endpoint;

    /// <summary>The route template for the metric tag <c>http.route</c>, or an operation's name; null when nothing matched.</summary>
    public string? Route { get; } = route;

    /// <summary>The activity source of an operation; null for an endpoint.</summary>
    public string? Source { get; init; }

    /// <summary>Whether it is a unit of work that is no request.</summary>
    public bool IsOperation => Source is not null;

    /// <summary>The table it is in: a process may have several hosts.</summary>
    public object? Table { get; init; }

    public string Method { get; } = method;

    /// <summary>True for what is not counted: AsyncProbe's own routes.</summary>
    public bool IsIgnored { get; init; }

    /// <summary>The reason of the endpoint's <see cref="AllowBlockingAttribute"/>; null when it has none.</summary>
    public string? AllowReason { get; init; }

    /// <summary>The method that the endpoint runs; null when it is not known, or when one name stands for several.</summary>
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

    /// <summary>The database provider that the endpoint's commands ran in, if it is synchronous inside; null otherwise.</summary>
    public string? Provider { get; set; }

    /// <summary>Whether what runs after the pipeline is followed.</summary>
    public CompletionWatch Completions { get; } = new();

    /// <summary>What is known of the endpoint's waits; null while it is clean.</summary>
    public EndpointWaits? Waits => Volatile.Read(ref _waits);

    /// <summary>Whether anybody has looked where the endpoint waits, and what was seen.</summary>
    public WaitsSeen WaitsSeen => Waits?.Seen ?? WaitsSeen.NotLooked;

    /// <summary>
    /// Notes the method of an endpoint under this name: a second one of that name, or the first one's new version once that was unloaded.
    /// </summary>
    public void Meet(MethodInfo? handler)
    {
        if (Handler != handler)
        {
            Handler = _passingHandler is not null && Handler is null ? handler : null;
        }
    }

    /// <summary>The same for what its requests leave behind; null while that does not block.</summary>
    public EndpointWaits? LateWaits => Volatile.Read(ref _lateWaits);

    /// <summary>The longest that work after a response has been blocked without a break.</summary>
    public Duration BlockedAfterResponse => Counter.Read(ref _blockedAfterResponse);

    public bool TrySetLateWaits(EndpointWaits waits) => Interlocked.CompareExchange(ref _lateWaits, waits, null) is null;

    public bool TrySetWaits(EndpointWaits waits) => Interlocked.CompareExchange(ref _waits, waits, null) is null;

    /// <summary>Counts one more request that carries the wait hook.</summary>
    /// <returns>False when there are so many already.</returns>
    public bool TryTakeArmed(int limit) => Counter.TryRaise(ref _armed, limit);

    public void ReleaseArmed() => Interlocked.Decrement(ref _armed);

    public void Begin() => _inFlight.Add(CellOfCore, 1);

    /// <summary>Whether a request that began then is none of the cold ones.</summary>
    public bool IsWarm(Timestamp startedAt) => _counts.IsWarm(startedAt);

    /// <param name="whole">The request's figures.</param>
    /// <param name="rest">The part of them that was not handed over while the request lasted.</param>
    /// <param name="segments">How many segments it had.</param>
    /// <param name="duration">From the middleware's entry to its end.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="waits">What is known of its waits; null when nothing is.</param>
    /// <param name="endedAt">When; the default when nobody knows.</param>
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

        // Last: a request that is counted has all of its figures. What it handed over while it lasted is counted with the whole now.
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

    /// <summary>Held time of a request that still lasts, or that comes in when it is counted already.</summary>
    /// <param name="split">What is new.</param>
    /// <param name="whole">All of the request so far: no mean may be above the most of one request.</param>
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

    /// <summary>Starts the counts again. Requests in flight stay in flight.</summary>
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

    /// <summary>Notes where the sums stand at the end of an interval.</summary>
    public void CloseInterval(PoolInterval pool)
    {
        var counts = _counts;
        var sum = counts.Sum();
        if (sum.Requests > 0)
        {
            counts.History.Close(WarmSum.From(sum, counts.Cold), pool);
        }
    }

    /// <summary>Blocked time that nobody allowed.</summary>
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
    /// The parts of it that no call site may have: while the collector paused the process, and what a database provider waited.
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
    /// The requests that have ended, each with its figures at that moment: what the metrics record of them. None of these ever falls, until
    /// the counts start anew.
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

    // In an endpoint that may block only what was seen under a contrary leave is not allowed; elsewhere only what was seen under one is.
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
        /// The first few to end are cold, and those that began before: a burst on a cold endpoint waits for one JIT compiler, each request
        /// of it.
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

        /// <summary>Whether a request that began then is none of the cold ones.</summary>
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
