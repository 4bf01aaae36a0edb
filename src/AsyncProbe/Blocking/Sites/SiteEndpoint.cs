using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sites;

/// <summary>What one call site cost one endpoint.</summary>
internal sealed class SiteEndpoint
{
    public long Count;

    /// <summary>How many waits stack samples met, one by one.</summary>
    public int Hits;

    /// <summary>How many waits the hook or EF Core timed.</summary>
    public long Waits;

    public Duration Blocked;

    /// <summary>The part of it that windows saw, and that was shared out by what they saw.</summary>
    public Duration Windowed;

    /// <summary>The part of it that cold requests waited for a lock of the framework's or a library's.</summary>
    public Duration Once;

    /// <summary>What says something of the requests to come.</summary>
    public Duration Lasting => Counter.Read(ref Blocked) - Counter.Read(ref Once);

    /// <summary>The part of it that the wait hook or EF Core timed, wait by wait.</summary>
    public Duration Timed;

    /// <summary>What the endpoint's time here rests on.</summary>
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
