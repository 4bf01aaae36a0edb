using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>A counter of the cycles that a thread runs, and the clock to compare it with.</summary>
internal interface ICycleSource
{
    /// <summary>Keeps the calling thread busy for a given time.</summary>
    /// <returns>What the counter and the clock showed; null if the counter can't be read.</returns>
    CycleReading? Spin(Duration time);

    /// <summary>Makes the calling thread sleep for a moment.</summary>
    /// <returns>As for <see cref="Spin"/>.</returns>
    CycleReading? Sleep();
}

/// <summary>How far a thread's cycle counter moved in a given time.</summary>
internal readonly record struct CycleReading(Duration Elapsed, ulong Cycles)
{
    private static Duration Nanosecond => Duration.FromNanoseconds(1);

    public double CyclesPerNanosecond => Elapsed > Duration.Zero ? Cycles / Elapsed.RatioTo(Nanosecond) : 0;
}
