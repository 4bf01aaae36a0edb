using System.Globalization;

namespace AsyncProbe.Common;

/// <summary>
/// The only type for a length of time inside the probe. It counts nanoseconds, the unit of the Linux and macOS clocks, which
/// <see cref="TimeSpan"/> cannot represent. Values that leave the process carry their unit.
/// </summary>
internal readonly record struct Duration : IComparable<Duration>
{
    private const long PerMicrosecond = 1_000;
    private const long PerMillisecond = 1_000_000;
    private const double PerSecond = 1_000_000_000;

    private readonly long _nanoseconds;

    private Duration(long nanoseconds) => _nanoseconds = nanoseconds;

    public static Duration Zero => default;

    public static Duration Millisecond => new(PerMillisecond);

    public static Duration Second => new((long)PerSecond);

    /// <summary>Whole microseconds, truncated.</summary>
    public long WholeMicroseconds => _nanoseconds / PerMicrosecond;

    public double TotalMilliseconds => _nanoseconds / (double)PerMillisecond;

    public double TotalSeconds => _nanoseconds / PerSecond;

    /// <summary>Whole seconds and the remaining nanoseconds, for exact text.</summary>
    public (long Seconds, long Nanoseconds) ToSecondsAndNanoseconds() => Math.DivRem(_nanoseconds, (long)PerSecond);

    /// <summary>For sources that count in nanoseconds, such as the platforms' clocks.</summary>
    public static Duration FromNanoseconds(long nanoseconds) => new(nanoseconds);

    public static Duration FromMicroseconds(long microseconds) => new(microseconds * PerMicrosecond);

    public static Duration FromMilliseconds(long milliseconds) => new(milliseconds * PerMillisecond);

    public static Duration FromMilliseconds(double milliseconds) => new((long)Math.Round(milliseconds * PerMillisecond));

    public static Duration FromSeconds(double seconds) => new((long)Math.Round(seconds * PerSecond));

    public static Duration From(TimeSpan time) => new(time.Ticks * TimeSpan.NanosecondsPerTick);

    public TimeSpan ToTimeSpan() => TimeSpan.FromTicks(_nanoseconds / TimeSpan.NanosecondsPerTick);

    /// <summary>With three decimal places, the precision of all milliseconds that leave the process.</summary>
    public double ToMilliseconds() => Math.Round(TotalMilliseconds, 3);

    public static Duration Max(Duration a, Duration b) => new(Math.Max(a._nanoseconds, b._nanoseconds));

    public static Duration Min(Duration a, Duration b) => new(Math.Min(a._nanoseconds, b._nanoseconds));

    public static Duration Clamp(Duration value, Duration least, Duration most) =>
        new(Math.Clamp(value._nanoseconds, least._nanoseconds, most._nanoseconds));

    /// <summary>
    /// Replaces a negative value by zero. Two clocks that were read one after the other may seem to run backwards slightly.
    /// </summary>
    public Duration OrZero() => new(Math.Max(0, _nanoseconds));

    /// <summary>This duration as a multiple of the other.</summary>
    public double RatioTo(Duration other) => (double)_nanoseconds / other._nanoseconds;

    public static Duration operator +(Duration a, Duration b) => new(a._nanoseconds + b._nanoseconds);

    public static Duration operator -(Duration a, Duration b) => new(a._nanoseconds - b._nanoseconds);

    public static Duration operator *(long times, Duration duration) => new(times * duration._nanoseconds);

    public static Duration operator *(Duration duration, long times) => new(times * duration._nanoseconds);

    public static Duration operator *(double share, Duration duration) => duration * share;

    public static Duration operator *(Duration duration, double share) => new((long)(duration._nanoseconds * share));

    public static Duration operator /(Duration duration, long parts) => new(duration._nanoseconds / parts);

    public static Duration operator /(Duration duration, double parts) => new((long)(duration._nanoseconds / parts));

    public static bool operator <(Duration a, Duration b) => a._nanoseconds < b._nanoseconds;

    public static bool operator >(Duration a, Duration b) => a._nanoseconds > b._nanoseconds;

    public static bool operator <=(Duration a, Duration b) => a._nanoseconds <= b._nanoseconds;

    public static bool operator >=(Duration a, Duration b) => a._nanoseconds >= b._nanoseconds;

    public int CompareTo(Duration other) => _nanoseconds.CompareTo(other._nanoseconds);

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{TotalMilliseconds} ms");
}
