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

    /// <summary>The part of <see cref="Blocked"/> that the wait hook or EF Core timed, wait by wait.</summary>
    public Duration Timed;

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
