using System.Numerics;

namespace AsyncProbe.Cli.Statistics;

/// <summary>
/// Counts values in log-linear buckets: each power of two is divided into 2^bits equal parts, so a value read back is off by at most
/// 2^-(bits+1) of its size. Memory depends only on the range, never on how many values were recorded. Not thread-safe.
/// </summary>
internal sealed class Histogram(int bits = Histogram.ExactBits)
{
    /// <summary>Off by at most 0.05 %.</summary>
    public const int ExactBits = 10;

    /// <summary>Off by at most 0.8 %, for values that stay on screen for one second.</summary>
    public const int CoarseBits = 6;

    private readonly long[]?[] _octaves = new long[64 - bits][];
    private double _sum;
    private double _sumOfSquares;

    public long Count { get; private set; }

    public long Min { get; private set; } = long.MaxValue;

    public long Max { get; private set; }

    public double Mean => Count == 0 ? 0 : _sum / Count;

    public double StandardDeviation => Count < 2 ? 0 : Math.Sqrt(Math.Max(0, (_sumOfSquares - (_sum * _sum / Count)) / (Count - 1)));

    public void Record(long value)
    {
        value = Math.Max(0, value);
        // Values below 2^bits share octave 0 and are exact; every later octave has 2^bits parts.
        var octave = Math.Max(0, BitOperations.Log2((ulong)value | 1) - bits + 1);
        var counts = _octaves[octave] ??= new long[1 << bits];
        counts[Slot(value, octave)]++;
        Count++;
        _sum += value;
        _sumOfSquares += (double)value * value;
        Min = Math.Min(Min, value);
        Max = Math.Max(Max, value);
    }

    public void Add(Histogram other)
    {
        foreach (var (octave, slot, count) in other.Slots())
        {
            (_octaves[octave] ??= new long[1 << bits])[slot] += count;
        }

        Count += other.Count;
        _sum += other._sum;
        _sumOfSquares += other._sumOfSquares;
        Min = Math.Min(Min, other.Min);
        Max = Math.Max(Max, other.Max);
    }

    /// <summary>The smallest recorded value that at least this percentage of all values do not exceed (nearest rank).</summary>
    public long Percentile(double percent)
    {
        var rank = Math.Max(1, (long)Math.Ceiling(percent / 100 * Count));
        long seen = 0;
        foreach (var (octave, slot, count) in Slots())
        {
            seen += count;
            if (seen >= rank)
            {
                return rank == Count ? Max : Math.Clamp(Middle(octave, slot), Min, Max);
            }
        }

        return 0;
    }

    /// <summary>The number of values in each range between two neighbouring borders; the last range is open.</summary>
    public long[] CountBetween(ReadOnlySpan<long> borders)
    {
        var result = new long[borders.Length];
        foreach (var (octave, slot, count) in Slots())
        {
            var at = borders.BinarySearch(Middle(octave, slot));
            result[Math.Max(0, at >= 0 ? at : ~at - 1)] += count;
        }

        return result;
    }

    private int Slot(long value, int octave) => octave == 0 ? (int)value : (int)(value >> (octave - 1)) - (1 << bits);

    private long Middle(int octave, int slot)
    {
        if (octave == 0)
        {
            return slot;
        }

        var width = 1L << (octave - 1);
        return (((1L << bits) + slot) * width) + (width / 2);
    }

    private IEnumerable<(int Octave, int Slot, long Count)> Slots()
    {
        for (var octave = 0; octave < _octaves.Length; octave++)
        {
            var counts = _octaves[octave];
            for (var slot = 0; counts is not null && slot < counts.Length; slot++)
            {
                if (counts[slot] != 0)
                {
                    yield return (octave, slot, counts[slot]);
                }
            }
        }
    }
}
