using AsyncProbe.Common;

namespace AsyncProbe.Tests;

/// <summary>Times for tests with a made-up clock.</summary>
internal static class Moment
{
    /// <summary>The moment that is this long after the clock's zero.</summary>
    public static Timestamp At(Duration time) => default(Timestamp) + time;

    public static Duration Ns(this int count) => Duration.FromNanoseconds(count);

    public static Duration Ns(this long count) => Duration.FromNanoseconds(count);
}
