using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>A thread outside any request that keeps the garbage collector busy.</summary>
internal static class GcLoad
{
    private const int PeriodMs = 20;

    /// <param name="time">How long it runs.</param>
    /// <param name="percent">The share of the time in which the thread allocates, as fast as it can.</param>
    public static void Run(TimeSpan time, int percent) =>
        new Thread(() =>
        {
            var survivors = new object[200_000];
            var clock = Stopwatch.StartNew();
            for (var i = 0; clock.Elapsed < time; i++)
            {
                survivors[i % survivors.Length] = new byte[64 + (i % 512)];
                if (percent < 100 && clock.ElapsedMilliseconds % PeriodMs * 100 >= PeriodMs * percent)
                {
                    Thread.Sleep(PeriodMs * (100 - percent) / 100);
                }
            }
        })
        { IsBackground = true }.Start();
}
