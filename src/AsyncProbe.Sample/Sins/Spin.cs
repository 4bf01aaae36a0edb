using System.Diagnostics;

namespace AsyncProbe.Sample.Sins;

/// <summary>Work for so long.</summary>
internal static class Spin
{
    public static void For(TimeSpan duration)
    {
        var began = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(began) < duration)
        {
            Thread.SpinWait(20);
        }
    }
}
