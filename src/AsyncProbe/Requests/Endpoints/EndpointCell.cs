using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>One set of counters.</summary>
internal sealed class EndpointCell
{
    public long Requests;
    public long Failed;
    public long Aborted;
    public long FromCache;
    public long Segments;
    public Duration Duration;
    public Duration DurationMax;
    public long Timed;
    public Duration Cpu;
    public Duration CpuMax;
    public Duration CpuWait;
    public Duration CpuWaitMax;
    public Duration Gc;
    public Duration GcMax;
    public Duration Blocked;
    public Duration BlockedMax;
    public Duration BlockedInGc;
    public Duration BlockedInGcMax;
    public Duration HeldMax;
    public Duration AfterResponse;
    public Duration AfterResponseMax;
    public Duration Allowed;
    public Duration AllowedMax;
    public Duration Provider;
    public Duration ProviderRetries;
    public long Working;
    public long Blocking;
    public long Unallowed;
    public double UnallowedSquares;
    public long Away;

    // The minimum for a request to count as working, blocking or away.
    private static Duration Noticeable => Duration.Millisecond;

    public Duration Held => Cpu + CpuWait + Gc + Blocked;

    public HeldSplit Split => new(Held, Cpu, CpuWait, Gc, Blocked) { BlockedInGc = BlockedInGc };

    public void AddRequest(HeldSplit whole, Duration allowed, int segments, RequestOutcome outcome)
    {
        Interlocked.Add(ref Segments, segments);
        AddHeld(whole);
        RaiseMaxima(whole);
        Classify(whole, allowed);
        if (outcome != RequestOutcome.None)
        {
            AddOutcome(outcome);
        }

        // Incremented last, because readers read it first: a request that is counted has all of its figures.
        Interlocked.Increment(ref Requests);
    }

    /// <param name="duration">How long the request took.</param>
    /// <param name="held">How much of that time it held a thread; more than the duration if it held several at the same time.</param>
    public void AddDuration(Duration duration, Duration held)
    {
        Interlocked.Increment(ref Timed);
        Counter.Add(ref Duration, duration);
        Counter.Raise(ref DurationMax, duration);
        if (duration - held >= Noticeable)
        {
            Interlocked.Increment(ref Away);
        }
    }

    public void AddProvider(Duration blocked, Duration retries)
    {
        Counter.Add(ref Provider, blocked);
        Counter.Add(ref ProviderRetries, retries);
    }

    public void AddHeld(HeldSplit split)
    {
        // Most requests use only CPU, and an interlocked add of zero costs as much as any other.
        Counter.Add(ref Cpu, split.Cpu);
        if (split.Held == split.Cpu)
        {
            return;
        }

        Counter.Add(ref CpuWait, split.CpuWait);
        Counter.Add(ref Gc, split.Gc);
        Counter.Add(ref Blocked, split.Blocked);
        if (split.BlockedInGc != Duration.Zero)
        {
            Counter.Add(ref BlockedInGc, split.BlockedInGc);
        }
    }

    /// <summary>Reads the held time while other threads add to it.</summary>
    public HeldSplit ReadHeld()
    {
        var (cpu, cpuWait) = (Counter.Read(ref Cpu), Counter.Read(ref CpuWait));
        var (gc, blocked) = (Counter.Read(ref Gc), Counter.Read(ref Blocked));
        return new HeldSplit(cpu + cpuWait + gc + blocked, cpu, cpuWait, gc, blocked);
    }

    public void RaiseMaxima(HeldSplit whole)
    {
        Counter.Raise(ref HeldMax, whole.Held);
        Counter.Raise(ref CpuMax, whole.Cpu);
        Counter.Raise(ref CpuWaitMax, whole.CpuWait);
        Counter.Raise(ref GcMax, whole.Gc);
        Counter.Raise(ref BlockedMax, whole.Blocked);
        Counter.Raise(ref BlockedInGcMax, whole.BlockedInGc);
    }

    public void AddAfterResponse(Duration held)
    {
        Counter.Add(ref AfterResponse, held);
        Counter.Raise(ref AfterResponseMax, held);
    }

    public void AddTo(EndpointCell sum)
    {
        sum.Requests += Volatile.Read(ref Requests);
        sum.Failed += Volatile.Read(ref Failed);
        sum.Aborted += Volatile.Read(ref Aborted);
        sum.FromCache += Volatile.Read(ref FromCache);
        sum.Segments += Volatile.Read(ref Segments);
        sum.Duration += Counter.Read(ref Duration);
        sum.DurationMax = Duration.Max(sum.DurationMax, Counter.Read(ref DurationMax));
        sum.Timed += Volatile.Read(ref Timed);
        sum.Cpu += Counter.Read(ref Cpu);
        sum.CpuMax = Duration.Max(sum.CpuMax, Counter.Read(ref CpuMax));
        sum.CpuWait += Counter.Read(ref CpuWait);
        sum.CpuWaitMax = Duration.Max(sum.CpuWaitMax, Counter.Read(ref CpuWaitMax));
        sum.Gc += Counter.Read(ref Gc);
        sum.GcMax = Duration.Max(sum.GcMax, Counter.Read(ref GcMax));
        sum.Blocked += Counter.Read(ref Blocked);
        sum.BlockedMax = Duration.Max(sum.BlockedMax, Counter.Read(ref BlockedMax));
        sum.BlockedInGc += Counter.Read(ref BlockedInGc);
        sum.BlockedInGcMax = Duration.Max(sum.BlockedInGcMax, Counter.Read(ref BlockedInGcMax));
        sum.HeldMax = Duration.Max(sum.HeldMax, Counter.Read(ref HeldMax));
        sum.AfterResponse += Counter.Read(ref AfterResponse);
        sum.AfterResponseMax = Duration.Max(sum.AfterResponseMax, Counter.Read(ref AfterResponseMax));
        sum.Allowed += Counter.Read(ref Allowed);
        sum.AllowedMax = Duration.Max(sum.AllowedMax, Counter.Read(ref AllowedMax));
        sum.Provider += Counter.Read(ref Provider);
        sum.ProviderRetries += Counter.Read(ref ProviderRetries);
        sum.Working += Volatile.Read(ref Working);
        sum.Blocking += Volatile.Read(ref Blocking);
        sum.Unallowed += Volatile.Read(ref Unallowed);
        sum.UnallowedSquares += Volatile.Read(ref UnallowedSquares);
        sum.Away += Volatile.Read(ref Away);
    }

    private void Classify(HeldSplit whole, Duration allowed)
    {
        if (whole.Cpu >= Noticeable)
        {
            Interlocked.Increment(ref Working);
        }

        if (whole.Blocked >= Noticeable)
        {
            Interlocked.Increment(ref Blocking);
        }

        if (whole.Blocked - allowed >= Noticeable)
        {
            Interlocked.Increment(ref Unallowed);
            var ms = (whole.Blocked - allowed).TotalMilliseconds;
            Counter.Add(ref UnallowedSquares, ms * ms);
        }

        if (allowed > Duration.Zero)
        {
            Counter.Add(ref Allowed, allowed);
            Counter.Raise(ref AllowedMax, allowed);
        }
    }

    private void AddOutcome(RequestOutcome outcome)
    {
        if ((outcome & RequestOutcome.Failed) != 0)
        {
            Interlocked.Increment(ref Failed);
        }

        if ((outcome & RequestOutcome.Aborted) != 0)
        {
            Interlocked.Increment(ref Aborted);
        }

        if ((outcome & RequestOutcome.FromCache) != 0)
        {
            Interlocked.Increment(ref FromCache);
        }
    }
}
