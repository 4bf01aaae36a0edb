using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sites;

/// <summary>The cost of one call site to one endpoint.</summary>
internal sealed class SiteEndpoint
{
    public long Count;

    /// <summary>How many waits stack samples saw, counted one by one.</summary>
    public int Hits;

    /// <summary>How many waits the hook or EF Core timed.</summary>
    public long Waits;

    public Duration Blocked;

    /// <summary>The part of <see cref="Blocked"/> that windows saw, or that was shared out in proportion to what they saw.</summary>
    public Duration Windowed;

    /// <summary>The part of <see cref="Blocked"/> that cold requests spent waiting for a lock of the framework or a library.</summary>
    public Duration Once;

    /// <summary>The blocked time that is likely to recur in later requests.</summary>
    public Duration Lasting => Counter.Read(ref Blocked) - Counter.Read(ref Once);

    /// <summary>The blocked time outside of cold requests.</summary>
    public Duration Warm => (Counter.Read(ref Blocked) - Counter.Read(ref _cold)).OrZero();

    /// <summary>The part of <see cref="Blocked"/> that the wait hook or EF Core timed, wait by wait.</summary>
    public Duration Timed;

    private Duration _cold;
    private Duration _coldTimed;
    private long _coldWaits;
    private int _coldHits;

    /// <summary>The evidence for the endpoint's time here.</summary>
    public Evidence Evidence
    {
        get
        {
            var timed = Counter.Read(ref Timed);
            return new(
                Volatile.Read(ref Waits), timed, Volatile.Read(ref Hits), (Counter.Read(ref Blocked) - timed).OrZero());
        }
    }

    /// <summary>The same outside of cold requests.</summary>
    public Evidence WarmEvidence
    {
        get
        {
            var timed = (Counter.Read(ref Timed) - Counter.Read(ref _coldTimed)).OrZero();
            return new(
                Math.Max(0, Volatile.Read(ref Waits) - Volatile.Read(ref _coldWaits)), timed,
                Math.Max(0, Volatile.Read(ref Hits) - Volatile.Read(ref _coldHits)), (Warm - timed).OrZero());
        }
    }

    /// <summary>Marks a wait that was counted here as one of a cold request.</summary>
    public void MarkCold(Duration timed)
    {
        Interlocked.Increment(ref _coldWaits);
        Counter.Add(ref _coldTimed, timed);
        Counter.Add(ref _cold, timed);
    }

    /// <summary>The same for what a snapshot saw.</summary>
    public void MarkColdHit(int hits, Duration more)
    {
        Interlocked.Add(ref _coldHits, hits);
        Counter.Add(ref _cold, more);
    }

    public void AddTimed(Duration duration)
    {
        Interlocked.Increment(ref Waits);
        Counter.Add(ref Timed, duration);
    }

    public void Add(int count, Duration duration)
    {
        Interlocked.Add(ref Count, count);
        Counter.Add(ref Blocked, duration);
    }
}
