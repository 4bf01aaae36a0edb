using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>A thread that keeps the garbage collector busy without a request of its own.</summary>
internal static class GcLoad
{
    public static void Run(TimeSpan time) =>
        new Thread(() =>
        {
            var survivors = new object[200_000];
            var end = Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency);
            for (var i = 0; Stopwatch.GetTimestamp() < end; i++)
            {
                survivors[i % survivors.Length] = new byte[64 + (i % 512)];
            }
        })
        { IsBackground = true }.Start();
}
