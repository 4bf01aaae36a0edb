using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>A counter of the cycles that a thread runs, beside the clock that it is held against.</summary>
internal interface ICycleSource
{
    /// <summary>Keeps the calling thread busy for so long.</summary>
    /// <returns>What both showed for it; null when the counter gives no answer.</returns>
    CycleReading? Spin(Duration time);

    /// <summary>Lets the calling thread sleep for a moment.</summary>
    /// <returns>As above.</returns>
    CycleReading? Sleep();
}

/// <summary>How far a thread's cycle counter moved in a time.</summary>
/// <param name="Elapsed">The time.</param>
/// <param name="Cycles">The cycles.</param>
internal readonly record struct CycleReading(Duration Elapsed, ulong Cycles)
{
    private static Duration Nanosecond => Duration.FromNanoseconds(1);

    public double CyclesPerNanosecond => Elapsed > Duration.Zero ? Cycles / Elapsed.RatioTo(Nanosecond) : 0;
}
