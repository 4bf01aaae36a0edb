using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>One set of counters. Times are nanoseconds.</summary>
internal sealed class EndpointCell
{
    public long Requests;
    public long Failed;
    public long Aborted;
    public long FromCache;
    public long Segments;
    public long Duration;
    public long DurationMax;
    public long Timed;
    public long Cpu;
    public long CpuMax;
    public long CpuWait;
    public long CpuWaitMax;
    public long Gc;
    public long GcMax;
    public long Blocked;
    public long BlockedMax;
    public long HeldMax;
    public long AfterResponse;
    public long AfterResponseMax;
    public long Allowed;
    public long AllowedMax;
    public long Provider;
    public long ProviderRetries;
    public long Working;
    public long Blocking;
    public long Away;

    // Requests that do less of something than this do not do it.
    private const long Noticeable = Nanoseconds.PerMillisecond;

    public long Held => Cpu + CpuWait + Gc + Blocked;

    public HeldSplit Split => new(Held, Cpu, CpuWait, Gc, Blocked);

    public void AddRequest(HeldSplit whole, HeldSplit rest, int segments, RequestOutcome outcome)
    {
        Interlocked.Add(ref Segments, segments);
        AddHeld(rest);
        RaiseMaxima(whole);
        Classify(whole);
        if (outcome != RequestOutcome.None)
        {
            AddOutcome(outcome);
        }

        // Last, as it is read first: a request that is counted has all of its figures.
        Interlocked.Increment(ref Requests);
    }

    /// <param name="duration">How long the request took.</param>
    /// <param name="held">For how much of that it held a thread; more, if it held several at once.</param>
    public void AddDuration(long duration, long held)
    {
        Interlocked.Increment(ref Timed);
        Interlocked.Add(ref Duration, duration);
        Counter.Raise(ref DurationMax, duration);
        if (duration - held >= Noticeable)
        {
            Interlocked.Increment(ref Away);
        }
    }

    public void AddProvider(long blocked, long retries)
    {
        Interlocked.Add(ref Provider, blocked);
        Interlocked.Add(ref ProviderRetries, retries);
    }

    public void AddAllowed(long blocked)
    {
        Interlocked.Add(ref Allowed, blocked);
        Counter.Raise(ref AllowedMax, blocked);
    }

    public void AddHeld(HeldSplit split)
    {
        // Most requests are CPU alone; an interlocked add of zero costs as much as any.
        Interlocked.Add(ref Cpu, split.Cpu);
        if (split.Held == split.Cpu)
        {
            return;
        }

        Interlocked.Add(ref CpuWait, split.CpuWait);
        Interlocked.Add(ref Gc, split.Gc);
        Interlocked.Add(ref Blocked, split.Blocked);
    }

    public void RaiseMaxima(HeldSplit whole)
    {
        Counter.Raise(ref HeldMax, whole.Held);
        Counter.Raise(ref CpuMax, whole.Cpu);
        Counter.Raise(ref CpuWaitMax, whole.CpuWait);
        Counter.Raise(ref GcMax, whole.Gc);
        Counter.Raise(ref BlockedMax, whole.Blocked);
    }

    public void AddAfterResponse(long held)
    {
        Interlocked.Add(ref AfterResponse, held);
        Counter.Raise(ref AfterResponseMax, held);
    }

    public void AddTo(EndpointCell sum)
    {
        sum.Requests += Volatile.Read(ref Requests);
        sum.Failed += Volatile.Read(ref Failed);
        sum.Aborted += Volatile.Read(ref Aborted);
        sum.FromCache += Volatile.Read(ref FromCache);
        sum.Segments += Volatile.Read(ref Segments);
        sum.Duration += Volatile.Read(ref Duration);
        sum.DurationMax = Math.Max(sum.DurationMax, Volatile.Read(ref DurationMax));
        sum.Timed += Volatile.Read(ref Timed);
        sum.Cpu += Volatile.Read(ref Cpu);
        sum.CpuMax = Math.Max(sum.CpuMax, Volatile.Read(ref CpuMax));
        sum.CpuWait += Volatile.Read(ref CpuWait);
        sum.CpuWaitMax = Math.Max(sum.CpuWaitMax, Volatile.Read(ref CpuWaitMax));
        sum.Gc += Volatile.Read(ref Gc);
        sum.GcMax = Math.Max(sum.GcMax, Volatile.Read(ref GcMax));
        sum.Blocked += Volatile.Read(ref Blocked);
        sum.BlockedMax = Math.Max(sum.BlockedMax, Volatile.Read(ref BlockedMax));
        sum.HeldMax = Math.Max(sum.HeldMax, Volatile.Read(ref HeldMax));
        sum.AfterResponse += Volatile.Read(ref AfterResponse);
        sum.AfterResponseMax = Math.Max(sum.AfterResponseMax, Volatile.Read(ref AfterResponseMax));
        sum.Allowed += Volatile.Read(ref Allowed);
        sum.AllowedMax = Math.Max(sum.AllowedMax, Volatile.Read(ref AllowedMax));
        sum.Provider += Volatile.Read(ref Provider);
        sum.ProviderRetries += Volatile.Read(ref ProviderRetries);
        sum.Working += Volatile.Read(ref Working);
        sum.Blocking += Volatile.Read(ref Blocking);
        sum.Away += Volatile.Read(ref Away);
    }

    private void Classify(HeldSplit whole)
    {
        if (whole.Cpu >= Noticeable)
        {
            Interlocked.Increment(ref Working);
        }

        if (whole.Blocked >= Noticeable)
        {
            Interlocked.Increment(ref Blocking);
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
