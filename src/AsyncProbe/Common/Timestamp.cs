using System.Diagnostics;

namespace AsyncProbe.Common;

/// <summary>
/// A moment on the monotonic clock, for measuring; the default means never. Times for people to read use <see cref="DateTime"/>.
/// </summary>
internal readonly record struct Timestamp
{
    private const long PerSecond = 1_000_000_000;

    private readonly Duration _sinceZero;

    private Timestamp(Duration sinceZero) => _sinceZero = sinceZero;

    /// <summary>The current time.</summary>
    // Stopwatch counts in nanoseconds on Linux and macOS, and in steps of 100 ns on Windows; the JIT removes the check.
    public static Timestamp Now() => FromStopwatch(Stopwatch.GetTimestamp());

    /// <summary>Converts a stopwatch's timestamp.</summary>
    public static Timestamp FromStopwatch(long counted) => new(Duration.FromNanoseconds(
        Stopwatch.Frequency == PerSecond ? counted : (long)(counted * ((double)PerSecond / Stopwatch.Frequency))));

    /// <summary>The time since this moment.</summary>
    public Duration Elapsed() => Now() - this;

    public static Duration operator -(Timestamp later, Timestamp earlier) => later._sinceZero - earlier._sinceZero;

    public static Timestamp operator +(Timestamp moment, Duration time) => new(moment._sinceZero + time);

    public static Timestamp operator -(Timestamp moment, Duration time) => new(moment._sinceZero - time);

    public static bool operator <(Timestamp a, Timestamp b) => a._sinceZero < b._sinceZero;

    public static bool operator >(Timestamp a, Timestamp b) => a._sinceZero > b._sinceZero;

    public static bool operator <=(Timestamp a, Timestamp b) => a._sinceZero <= b._sinceZero;

    public static bool operator >=(Timestamp a, Timestamp b) => a._sinceZero >= b._sinceZero;

    public override string ToString() => $"at {_sinceZero}";
}
