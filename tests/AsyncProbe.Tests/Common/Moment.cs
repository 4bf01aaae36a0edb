using AsyncProbe.Common;

namespace AsyncProbe.Tests;

/// <summary>Times for tests that make up their own clock.</summary>
internal static class Moment
{
    /// <summary>So long after the clock's zero.</summary>
    public static Timestamp At(Duration time) => default(Timestamp) + time;

    public static Duration Ns(this int count) => Duration.FromNanoseconds(count);

    public static Duration Ns(this long count) => Duration.FromNanoseconds(count);
}
