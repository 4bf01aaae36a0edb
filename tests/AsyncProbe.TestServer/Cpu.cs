using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>CPU work of a known size: a loop whose speed was measured once, so it takes the same CPU time on a crowded core.</summary>
public static class Cpu
{
    private static readonly double s_roundsPerMicrosecond = Calibrate();

    public static ulong Burn(int milliseconds) => Loop((long)(milliseconds * 1000 * s_roundsPerMicrosecond));

    public static ulong BurnMicroseconds(int microseconds) => Loop((long)(microseconds * s_roundsPerMicrosecond));

    // The best of many short runs: the others were disturbed.
    private static double Calibrate()
    {
        const long Rounds = 200_000;
        var best = double.MaxValue;
        for (var i = 0; i < 200; i++)
        {
            var start = Stopwatch.GetTimestamp();
            Loop(Rounds);
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalMicroseconds);
        }

        return Rounds / best;
    }

    private static ulong Loop(long rounds)
    {
        var x = 88172645463325252UL;
        for (var i = 0L; i < rounds; i++)
        {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }

        return x;
    }
}
