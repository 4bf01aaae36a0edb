using System.Numerics;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Counts durations in buckets that grow with the duration: 32 for each doubling, so a percentile is off by 1.6 % at most. 8 KB, fixed.
/// </summary>
internal sealed class DurationHistogram
{
    private const int BucketsPerDoubling = 32;
    private const int Doublings = 32;

    // Durations are kept in steps of 1 µs; the last bucket takes all above 1.2 hours. A busy endpoint fills 32 bits of one in weeks.
    private readonly long[] _counts = new long[BucketsPerDoubling * Doublings];

    public void Add(Duration duration) => Add(duration, 1);

    /// <summary>Counts so many of the same duration.</summary>
    public void Add(Duration duration, long times) =>
        Interlocked.Add(ref _counts[BucketOf(duration.WholeMicroseconds)], times);

    /// <summary>The duration that the given share of requests stayed within; null when nothing was counted.</summary>
    public Duration? Percentile(double share)
    {
        Span<Duration?> found = [null];
        Percentiles([share], found);
        return found[0];
    }

    /// <summary>The same for several shares, smallest first, in one go.</summary>
    public void Percentiles(ReadOnlySpan<double> shares, Span<Duration?> found)
    {
        found.Clear();
        Span<ushort> buffer = stackalloc ushort[BucketsPerDoubling * Doublings];
        var used = Used(buffer, out var total);
        var next = 0;
        long seen = 0;
        foreach (var bucket in used)
        {
            seen += _counts[bucket];
            while (next < shares.Length && seen >= Math.Max(1, (long)Math.Ceiling(total * shares[next])))
            {
                found[next++] = Duration.FromMicroseconds(MiddleOf(bucket));
            }
        }
    }

    // Nearly all buckets are empty, and a report reads those of every endpoint.
    private ReadOnlySpan<ushort> Used(Span<ushort> buffer, out long total)
    {
        total = 0;
        var length = 0;
        for (var bucket = 0; ; bucket++)
        {
            var offset = _counts.AsSpan(bucket).IndexOfAnyExcept(0);
            if (offset < 0)
            {
                return buffer[..length];
            }

            bucket += offset;
            total += _counts[bucket];
            buffer[length++] = (ushort)bucket;
        }
    }

    // Up to 64 µs one bucket is one step; above, the leading bit names the doubling and the five bits after it the bucket.
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
