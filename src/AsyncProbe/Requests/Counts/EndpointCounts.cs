using System.Numerics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Requests.Counts;

/// <summary>
/// All counts of one endpoint. Each core adds to its own cell, so that cores don't contend for a cache line; the reader sums the cells.
/// </summary>
internal sealed class EndpointCounts
{
    private static readonly int s_mask = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Min(16, Environment.ProcessorCount)) - 1;

    private readonly EndpointCell[] _cells = [.. Enumerable.Range(0, Cores).Select(_ => new EndpointCell())];
    private readonly EndpointCell _cold = new();
    private readonly RunningHeld _running = new();
    private readonly DurationHistogram _durations = new(Cores);
    private readonly EndpointHistory _history = new();
    private int _coldLeft = Verdicts.ColdRequests;
    private Timestamp _warmSince;

    /// <summary>The number of cells; a power of two.</summary>
    public static int Cores => s_mask + 1;

    /// <summary>The calling thread's core, modulo the number of cells.</summary>
    public static int Core => Thread.GetCurrentProcessorId() & s_mask;

    /// <summary>Whether a request that began at that time is warm.</summary>
    public bool IsWarm(Timestamp startedAt) => Counter.Read(ref _warmSince) is var since && since != default && startedAt >= since;

    /// <summary>Counts a request.</summary>
    /// <param name="whole">Its figures.</param>
    /// <param name="rest">The part that was not yet handed over while it ran.</param>
    /// <param name="allowed">The part of its blocked time that is allowed.</param>
    /// <param name="segments">How many segments it had.</param>
    /// <param name="duration">From the middleware's entry to its end.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="waits">What is known about its waits; null if nothing is.</param>
    /// <param name="endedAt">When it ended; the default if unknown.</param>
    public void Add(
        HeldSplit whole, HeldSplit rest, Duration allowed, int segments, Duration duration, RequestOutcome outcome, RequestWaits? waits,
        Timestamp endedAt)
    {
        var core = Core;
        var cell = _cells[core];
        var cold = IsCold(endedAt - duration, endedAt) ? _cold : null;
        if ((outcome & RequestOutcome.LongLived) == 0)
        {
            cold?.AddDuration(duration, whole.Held);
            cell.AddDuration(duration, whole.Held);
            _durations.Add(duration, core);
        }

        if (waits is not null && waits.Provider > Duration.Zero)
        {
            cold?.AddProvider(waits.Provider, waits.ProviderRetries);
            cell.AddProvider(waits.Provider, waits.ProviderRetries);
        }

        cold?.AddRequest(whole, allowed, segments, outcome);

        // Must be last: a request that is counted has all of its figures. Take back what it handed over while it ran, because that is now
        // part of the whole.
        if (rest == whole)
        {
            cell.AddRequest(whole, allowed, segments, outcome);
        }
        else
        {
            _running.Begin();
            _running.Add(rest - whole);
            cell.AddRequest(whole, allowed, segments, outcome);
            _running.End();
        }
    }

    /// <summary>Adds held time of a request that is still running, or that arrived after the request was counted.</summary>
    /// <param name="split">The new time.</param>
    /// <param name="whole">All of the request's time so far: no mean may exceed the maximum of a single request.</param>
    public void AddRunning(HeldSplit split, HeldSplit whole)
    {
        _running.Begin();
        _running.Add(split);
        _running.End();
        _cells[Core].RaiseMaxima(whole);
    }

    public void AddAfterResponse(Duration held) => _cells[Core].AddAfterResponse(held);

    /// <summary>Gives back what other endpoints can use. Called once nothing reads these counts any more.</summary>
    public void Release() => _durations.Release();

    /// <param name="totals">The endpoint.</param>
    /// <param name="inFlight">Its requests in flight.</param>
    /// <param name="pool">The pool since the last interval ended.</param>
    public EndpointFigures Read(EndpointTotals totals, int inFlight, PoolInterval pool)
    {
        var (sum, longest) = Sum();
        var window = _history.Read(Warm(sum), pool, totals.IsMixed);
        return new EndpointFigures(totals, inFlight, sum, longest, _durations, window);
    }

    /// <summary>Records the sums at the end of an interval.</summary>
    public void CloseInterval(PoolInterval pool)
    {
        var (sum, _) = Sum();
        if (sum.Requests > 0)
        {
            _history.Close(Warm(sum), pool);
        }
    }

    /// <summary>Blocked time that isn't allowed.</summary>
    public Duration SumBlocked()
    {
        var blocked = Duration.Zero;
        foreach (var cell in _cells)
        {
            blocked += cell.Time(Figure.Blocked) - cell.Time(Figure.Allowed);
        }

        return blocked;
    }

    /// <summary>
    /// The parts of blocked time that can't have a call site: while the collector paused the process, and waits inside a database provider.
    /// </summary>
    public (Duration InGc, Duration InProvider) SumPlaceless()
    {
        var (inGc, inProvider) = (Duration.Zero, Duration.Zero);
        foreach (var cell in _cells)
        {
            inGc += cell.Time(Figure.BlockedInGc);
            inProvider += cell.Time(Figure.Provider);
        }

        return (inGc, inProvider);
    }

    public (long Requests, Duration Cpu) SumRequestsAndCpu() => _running.Read(() =>
    {
        var (requests, cpu) = (0L, _running.Cpu);
        foreach (var cell in _cells)
        {
            (requests, cpu) = (requests + cell.Count(Figure.Requests), cpu + cell.Time(Figure.Cpu));
        }

        return (requests, cpu);
    });

    /// <summary>
    /// The requests that have ended, each with its figures at that moment: what the metrics record. None of these ever decreases, except on
    /// a reset.
    /// </summary>
    public (long Requests, HeldSplit Held) ReadEnded()
    {
        var (requests, held) = (0L, default(HeldSplit));
        foreach (var cell in _cells)
        {
            requests += cell.Count(Figure.Requests);
            held += cell.ReadHeld();
        }

        return (requests, held);
    }

    // The first few requests to end are cold, and so is every request that began before those ended: in a burst on a cold endpoint, each
    // request waits for the one JIT compiler.
    private bool IsCold(Timestamp startedAt, Timestamp endedAt)
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

    private RequestSums Warm(RequestSums all) => RequestSums.Warm(all, _cold.ReadSums());

    private (RequestSums Sum, LongestTimes Longest) Sum() => _running.Read(() =>
    {
        var (sum, longest) = (default(RequestSums), default(LongestTimes));
        foreach (var cell in _cells)
        {
            cell.AddTo(ref sum, ref longest);
        }

        _running.AddTo(ref sum, ref longest);
        return (sum, longest);
    });
}
