using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>One set of counters, which several threads may add to while others read.</summary>
internal sealed class EndpointCell
{
    private RequestSums _sums;
    private LongestTimes _longest;

    // The minimum for a request to count as working, blocking or away.
    private static Duration Noticeable => Duration.Millisecond;

    public long Count(Figure figure) => Volatile.Read(ref _sums[(int)figure]);

    public Duration Time(Figure figure) => Duration.FromNanoseconds(Count(figure));

    public void AddRequest(HeldSplit whole, Duration allowed, int segments, RequestOutcome outcome)
    {
        Add(Figure.Segments, segments);
        AddHeld(whole);
        RaiseMaxima(whole);
        Classify(whole, allowed);
        if (outcome != RequestOutcome.None)
        {
            AddOutcome(outcome);
        }

        // Incremented last, because readers read it first: a request that is counted has all of its figures.
        Add(Figure.Requests, 1);
    }

    /// <param name="duration">How long the request took.</param>
    /// <param name="held">How much of that time it held a thread; more than the duration if it held several at the same time.</param>
    public void AddDuration(Duration duration, Duration held)
    {
        Add(Figure.Timed, 1);
        Add(Figure.Duration, duration);
        Raise(Longest.Duration, duration);
        if (duration - held >= Noticeable)
        {
            Add(Figure.Away, 1);
        }
    }

    public void AddProvider(Duration blocked, Duration retries)
    {
        Add(Figure.Provider, blocked);
        Add(Figure.ProviderRetries, retries);
    }

    public void AddHeld(HeldSplit split)
    {
        // Most requests use only CPU, and an interlocked add of zero costs as much as any other.
        Add(Figure.Cpu, split.Cpu);
        if (split.Held == split.Cpu)
        {
            return;
        }

        Add(Figure.CpuWait, split.CpuWait);
        Add(Figure.Gc, split.Gc);
        Add(Figure.Blocked, split.Blocked);
        if (split.BlockedInGc != Duration.Zero)
        {
            Add(Figure.BlockedInGc, split.BlockedInGc);
        }
    }

    /// <summary>Reads the held time while other threads add to it.</summary>
    public HeldSplit ReadHeld()
    {
        var (cpu, cpuWait) = (Time(Figure.Cpu), Time(Figure.CpuWait));
        var (gc, blocked) = (Time(Figure.Gc), Time(Figure.Blocked));
        return new HeldSplit(cpu + cpuWait + gc + blocked, cpu, cpuWait, gc, blocked);
    }

    public void RaiseMaxima(HeldSplit whole)
    {
        Raise(Longest.Held, whole.Held);
        Raise(Longest.Cpu, whole.Cpu);
        Raise(Longest.CpuWait, whole.CpuWait);
        Raise(Longest.Gc, whole.Gc);
        Raise(Longest.Blocked, whole.Blocked);
        Raise(Longest.BlockedInGc, whole.BlockedInGc);
    }

    public void AddAfterResponse(Duration held)
    {
        Add(Figure.AfterResponse, held);
        Raise(Longest.AfterResponse, held);
    }

    /// <summary>Adds these sums to others, and raises those maxima to these. It reads the number of requests first.</summary>
    public void AddTo(ref RequestSums sums, ref LongestTimes longest)
    {
        Span<long> all = sums;
        for (var i = 0; i < all.Length; i++)
        {
            all[i] += Count((Figure)i);
        }

        Span<Duration> maxima = longest;
        for (var i = 0; i < maxima.Length; i++)
        {
            maxima[i] = Duration.Max(maxima[i], Counter.Read(ref _longest[i]));
        }
    }

    /// <summary>Reads all sums while other threads add to them.</summary>
    public RequestSums ReadSums()
    {
        var (sums, longest) = (default(RequestSums), default(LongestTimes));
        AddTo(ref sums, ref longest);
        return sums;
    }

    private void Add(Figure figure, long more) => Interlocked.Add(ref _sums[(int)figure], more);

    private void Add(Figure figure, Duration more) => Counter.Add(ref _sums[(int)figure], more);

    private void Raise(Longest time, Duration value) => Counter.Raise(ref _longest[(int)time], value);

    private void Classify(HeldSplit whole, Duration allowed)
    {
        if (whole.Cpu >= Noticeable)
        {
            Add(Figure.Working, 1);
        }

        if (whole.Blocked >= Noticeable)
        {
            Add(Figure.Blocking, 1);
        }

        if (whole.Blocked - allowed >= Noticeable)
        {
            Add(Figure.Unallowed, 1);
            Add(Figure.UnallowedSquares, RequestSums.SquareOf(whole.Blocked - allowed));
        }

        if (allowed > Duration.Zero)
        {
            Add(Figure.Allowed, allowed);
            Raise(Longest.Allowed, allowed);
        }
    }

    private void AddOutcome(RequestOutcome outcome)
    {
        if ((outcome & RequestOutcome.Failed) != 0)
        {
            Add(Figure.Failed, 1);
        }

        if ((outcome & RequestOutcome.Aborted) != 0)
        {
            Add(Figure.Aborted, 1);
        }

        if ((outcome & RequestOutcome.FromCache) != 0)
        {
            Add(Figure.FromCache, 1);
        }
    }
}
