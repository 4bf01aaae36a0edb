using System.Globalization;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// Turns a thread's cycles into CPU time. The counter is exact where it runs at one speed, which the system does not promise: so its speed
/// is measured once, and then the counter must tell the length of other spins, and stand still in a sleep.
/// </summary>
internal sealed class CycleClock
{
    private const int Spins = 5;
    private const double Tolerance = 0.05;

    private readonly double _cyclesPerNanosecond;

    private CycleClock(double cyclesPerNanosecond, string? fault) => (_cyclesPerNanosecond, Fault) = (cyclesPerNanosecond, fault);

    /// <summary>Why the counter cannot be used, as the end of a sentence that it begins; null when it can.</summary>
    public string? Fault { get; }

    /// <summary>Takes some 15 ms, and longer on a crowded machine.</summary>
    public static CycleClock Calibrate(ICycleSource source)
    {
        double fastest = 0;
        for (var i = 0; i < Spins; i++)
        {
            if (source.Spin(Duration.Millisecond) is not { } reading)
            {
                return Unusable("gives no answer");
            }

            // A spin that lost its core in between looks slow, and none can look too fast.
            fastest = Math.Max(fastest, reading.CyclesPerNanosecond);
        }

        return fastest > 0 ? new CycleClock(fastest, Check(source, fastest)) : Unusable("stands still");
    }

    /// <summary>The CPU time that so many cycles took.</summary>
    public Duration ToDuration(ulong cycles)
    {
        var nanoseconds = cycles / _cyclesPerNanosecond;
        return Duration.FromNanoseconds(nanoseconds >= long.MaxValue ? long.MaxValue : (long)nanoseconds);
    }

    private static CycleClock Unusable(string fault) => new(1, fault);

    private static string? Check(ICycleSource source, double cyclesPerNanosecond)
    {
        // The best of them, for the same reason.
        var error = double.MaxValue;
        for (var i = 0; i < Spins && error > Tolerance; i++)
        {
            if (source.Spin(2 * Duration.Millisecond) is not { } spin)
            {
                return "gives no answer";
            }

            error = Math.Min(error, Math.Abs((spin.CyclesPerNanosecond / cyclesPerNanosecond) - 1));
        }

        if (error > Tolerance)
        {
            return string.Create(CultureInfo.InvariantCulture, $"was wrong by {error * 100:0} % when it was checked");
        }

        return source.Sleep() is { } sleep && sleep.CyclesPerNanosecond > cyclesPerNanosecond / 2
            ? "goes on while the thread sleeps"
            : null;
    }
}
