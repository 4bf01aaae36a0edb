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

    /// <summary>The part of <see cref="Blocked"/> that the wait hook or EF Core timed, wait by wait.</summary>
    public Duration Timed;

    private SiteEndpoint? _cold;

    /// <summary>The part that belongs to cold requests.</summary>
    public SiteEndpoint Cold => Volatile.Read(ref _cold) ?? Interlocked.CompareExchange(ref _cold, new(), null) ?? _cold;

    /// <summary>The blocked time outside of cold requests.</summary>
    public Duration Warm =>
        (Counter.Read(ref Blocked) - (Volatile.Read(ref _cold) is { } cold ? Counter.Read(ref cold.Blocked) : Duration.Zero)).OrZero();

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
    public Evidence WarmEvidence => Volatile.Read(ref _cold) is { } cold ? Evidence.Without(cold.Evidence) : Evidence;

    /// <summary>Adds a wait that was timed.</summary>
    public void AddTimed(Duration duration)
    {
        Add(1, duration);
        Interlocked.Increment(ref Waits);
        Counter.Add(ref Timed, duration);
    }

    /// <summary>Adds what stack samples saw.</summary>
    public void AddHits(int hits, Duration duration)
    {
        Add(hits, duration);
        Interlocked.Add(ref Hits, hits);
    }

    /// <summary>Notes that windows saw a part of what was added, or that it was shared out in proportion to what they saw.</summary>
    public void AddWindowed(Duration duration) => Counter.Add(ref Windowed, duration);

    public void Add(int count, Duration duration)
    {
        Interlocked.Add(ref Count, count);
        Counter.Add(ref Blocked, duration);
    }
}
