using System.Diagnostics;

namespace AsyncProbe.Common;

/// <summary>The one time unit inside the probe: nanoseconds of the monotonic clock.</summary>
internal static class Nanoseconds
{
    public const long PerMicrosecond = 1_000;
    public const long PerMillisecond = 1_000_000;
    public const long PerSecond = 1_000_000_000;

    // Stopwatch counts in nanoseconds on Linux and macOS and in steps of 100 ns on Windows; the JIT folds the test away.
    public static long Now() =>
        Stopwatch.Frequency == PerSecond
            ? Stopwatch.GetTimestamp()
            : (long)(Stopwatch.GetTimestamp() * ((double)PerSecond / Stopwatch.Frequency));

    public static TimeSpan ToTimeSpan(long nanoseconds) => TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick);

    public static long From(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;

    public static double ToMilliseconds(long nanoseconds) => Math.Round(nanoseconds / (double)PerMillisecond, 3);
}
