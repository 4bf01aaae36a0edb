using System.Numerics;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>
/// Counts durations in buckets that grow with the duration: 32 for each doubling, so a percentile is off by 1.6 % at most. Takes 8 KB. The
/// requests of a busy endpoint mostly fall into the same few buckets, and all cores would contend for them, so the busiest endpoints have
/// one histogram per core.
/// </summary>
/// <param name="cores">How many cores count separately once the endpoint is busy.</param>
internal sealed class DurationHistogram(int cores = 1)
{
    private const int BusyFrom = 100_000;

    // With 16 cores these are 4 MB.
    private const int MostBusy = 32;

    private const int BucketsPerDoubling = 32;
    private const int Doublings = 32;

    private static int s_busy;

    // Durations are kept in steps of 1 µs; the last bucket takes everything above 1.2 hours. A busy endpoint takes weeks to fill 32 bits of
    // one bucket.
    private readonly long[] _counts = new long[BucketsPerDoubling * Doublings];

    private long[][]? _byCore;
    private bool _mayBeBusy = cores > 1;

    /// <summary>Counts the same duration a number of times.</summary>
    public void AddMany(Duration duration, long times) =>
        Interlocked.Add(ref _counts[BucketOf(duration.WholeMicroseconds)], times);

    /// <param name="duration">What to count.</param>
    /// <param name="core">The calling thread's core.</param>
    public void Add(Duration duration, int core = 0)
    {
        var bucket = BucketOf(duration.WholeMicroseconds);
        if (Volatile.Read(ref _byCore) is { } byCore)
        {
            Interlocked.Increment(ref byCore[core][bucket]);
        }
        else if (Interlocked.Increment(ref _counts[bucket]) >= BusyFrom && _mayBeBusy)
        {
            Divide();
        }
    }

    /// <summary>Frees the per-core histograms for another endpoint.</summary>
    public void Release()
    {
        if (Interlocked.Exchange(ref _byCore, null) is not null)
        {
            Interlocked.Decrement(ref s_busy);
        }
    }

    /// <summary>The durations that these shares of requests stayed within, all in one pass.</summary>
    /// <param name="shares">The shares, smallest first.</param>
    /// <param name="found">Receives the durations; null if nothing was counted.</param>
    public void Percentiles(ReadOnlySpan<double> shares, Span<Duration?> found)
    {
        found.Clear();
        var counts = Total();
        Span<ushort> buffer = stackalloc ushort[BucketsPerDoubling * Doublings];
        var used = Used(counts, buffer, out var total);
        var next = 0;
        long seen = 0;
        foreach (var bucket in used)
        {
            seen += counts[bucket];
            while (next < shares.Length && seen >= Math.Max(1, (long)Math.Ceiling(total * shares[next])))
            {
                found[next++] = Duration.FromMicroseconds(MiddleOf(bucket));
            }
        }
    }

    private void Divide()
    {
        _mayBeBusy = false;
        if (!Counter.TryRaise(ref s_busy, MostBusy))
        {
            return;
        }

        long[][] byCore = [.. Enumerable.Range(0, cores).Select(_ => new long[BucketsPerDoubling * Doublings])];
        if (Interlocked.CompareExchange(ref _byCore, byCore, null) is not null)
        {
            Interlocked.Decrement(ref s_busy);
        }
    }

    private long[] Total()
    {
        if (Volatile.Read(ref _byCore) is not { } byCore)
        {
            return _counts;
        }

        var total = _counts.ToArray();
        foreach (var counts in byCore)
        {
            for (var bucket = 0; bucket < total.Length; bucket++)
            {
                total[bucket] += counts[bucket];
            }
        }

        return total;
    }

    // Nearly all buckets are empty, and a report reads the buckets of every endpoint.
    private static ReadOnlySpan<ushort> Used(long[] counts, Span<ushort> buffer, out long total)
    {
        total = 0;
        var length = 0;
        for (var bucket = 0; ; bucket++)
        {
            var offset = counts.AsSpan(bucket).IndexOfAnyExcept(0);
            if (offset < 0)
            {
                return buffer[..length];
            }

            bucket += offset;
            total += counts[bucket];
            buffer[length++] = (ushort)bucket;
        }
    }

    // Up to 64 µs each bucket is one step. Above that, the leading bit selects the doubling and the next five bits select the bucket.
    private static int BucketOf(long microseconds)
    {
        if (microseconds < 2 * BucketsPerDoubling)
        {
            return (int)Math.Max(0, microseconds);
        }

        var doubling = BitOperations.Log2((ulong)microseconds) - 5;
        var bucket = (doubling * BucketsPerDoubling) + (int)(microseconds >> doubling);
        return Math.Min(bucket, (BucketsPerDoubling * Doublings) - 1);
    }

    private static long MiddleOf(int bucket)
    {
        if (bucket < 2 * BucketsPerDoubling)
        {
            return bucket;
        }

        var doubling = (bucket / BucketsPerDoubling) - 1;
        var low = (long)(bucket - (doubling * BucketsPerDoubling)) << doubling;
        return low + ((1L << doubling) / 2);
    }
}
