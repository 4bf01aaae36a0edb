using System.Globalization;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>
/// Converts a thread's cycles to CPU time. The counter is exact if it runs at a constant speed, which the system doesn't guarantee. So this
/// measures the speed once, and then checks that the counter gets the length of further spins right and stops during a sleep.
/// </summary>
internal sealed class CycleClock
{
    private const int Spins = 5;
    private const double Tolerance = 0.05;

    private readonly double _cyclesPerNanosecond;

    private CycleClock(double cyclesPerNanosecond, string? fault) => (_cyclesPerNanosecond, Fault) = (cyclesPerNanosecond, fault);

    /// <summary>Why the counter cannot be used, as a verb phrase about the counter; null if it can.</summary>
    public string? Fault { get; }

    /// <summary>Takes about 15 ms, and longer on a crowded machine.</summary>
    public static CycleClock Calibrate(ICycleSource source)
    {
        double fastest = 0;
        for (var i = 0; i < Spins; i++)
        {
            if (source.Spin(Duration.Millisecond) is not { } reading)
            {
                return Unusable("gives no answer");
            }

            // A spin that lost its core looks slow, and none can look too fast.
            fastest = Math.Max(fastest, reading.CyclesPerNanosecond);
        }

        return fastest > 0 ? new CycleClock(fastest, Check(source, fastest)) : Unusable("stands still");
    }

    /// <summary>Converts cycles to CPU time.</summary>
    public Duration ToDuration(ulong cycles)
    {
        var nanoseconds = cycles / _cyclesPerNanosecond;
        return Duration.FromNanoseconds(nanoseconds >= long.MaxValue ? long.MaxValue : (long)nanoseconds);
    }

    private static CycleClock Unusable(string fault) => new(1, fault);

    private static string? Check(ICycleSource source, double cyclesPerNanosecond)
    {
        // The best spin counts, for the same reason.
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
