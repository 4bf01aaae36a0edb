using System.Diagnostics;

namespace AsyncProbe.Sample.Sins;

/// <summary>Keeps a core busy for that time.</summary>
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
