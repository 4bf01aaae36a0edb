using System.Runtime.CompilerServices;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>A number for each <see cref="Figure"/>: how many, or how many nanoseconds.</summary>
[InlineArray((int)Figure.ProviderRetries + 1)]
internal struct RequestSums : IEquatable<RequestSums>
{
    private const double SquaresPerMs2 = 100;

    private long _first;

    public readonly long Requests => Count(Figure.Requests);

    public readonly Duration Held => Time(Figure.Cpu) + Time(Figure.CpuWait) + Time(Figure.Gc) + Blocked;

    public readonly Duration Blocked => Time(Figure.Blocked);

    public readonly Duration Allowed => Time(Figure.Allowed);

    /// <summary>The sum of the squares of the blocked times where blocking isn't allowed, in ms².</summary>
    public readonly double UnallowedSquares => Count(Figure.UnallowedSquares) / SquaresPerMs2;

    /// <summary>All of the held time.</summary>
    public readonly HeldSplit Split => new(Held, Time(Figure.Cpu), Time(Figure.CpuWait), Time(Figure.Gc), Blocked)
    {
        BlockedInGc = Time(Figure.BlockedInGc),
    };

    /// <summary>The mean request; all zero when there was none.</summary>
    public readonly HeldSplit Mean => Requests <= 0 ? default : Split / Requests;

    /// <summary>The mean duration of a request; null if none was timed.</summary>
    public readonly Duration? MeanDuration => Count(Figure.Timed) is > 0 and var timed ? Time(Figure.Duration) / timed : null;

    /// <summary>The allowed part of the mean request's blocked time.</summary>
    public readonly Duration MeanAllowed => Duration.Clamp(MeanOf(Figure.Allowed), Duration.Zero, Mean.Blocked.OrZero());

    /// <summary>The mean number of times a request left its thread and came back.</summary>
    public readonly double Suspensions =>
        Requests <= 0 ? 0 : Math.Max(0, (double)(Count(Figure.Segments) - Requests) / Requests);

    public readonly long Count(Figure figure) => this[(int)figure];

    public readonly Duration Time(Figure figure) => Duration.FromNanoseconds(this[(int)figure]);

    /// <summary>The figure of the mean request; 0 when there was none.</summary>
    public readonly Duration MeanOf(Figure time) => Requests <= 0 ? Duration.Zero : Time(time) / Requests;

    /// <summary>The square of a time as <see cref="Figure.UnallowedSquares"/> counts it.</summary>
    public static long SquareOf(Duration time) => (long)(time.TotalMilliseconds * time.TotalMilliseconds * SquaresPerMs2);

    /// <summary>All requests without the cold ones. A cold request is added to the cold ones just before it is added to all.</summary>
    public static RequestSums Warm(RequestSums all, RequestSums cold)
    {
        var warm = all - cold;
        warm[(int)Figure.Requests] = Math.Max(0, warm.Requests);
        return warm;
    }

    public readonly bool Equals(RequestSums other) => ((ReadOnlySpan<long>)this).SequenceEqual(other);

    public override readonly bool Equals(object? obj) => obj is RequestSums other && Equals(other);

    public override readonly int GetHashCode() => HashCode.Combine(Requests, Held);

    public static RequestSums operator -(RequestSums a, RequestSums b)
    {
        Span<long> left = a;
        for (var i = 0; i < left.Length; i++)
        {
            left[i] -= b[i];
        }

        return a;
    }
}

/// <summary>A time for each <see cref="Longest"/>.</summary>
[InlineArray((int)Longest.Allowed + 1)]
internal struct LongestTimes
{
    private Duration _first;

    public readonly Duration Of(Longest time) => this[(int)time];
}
