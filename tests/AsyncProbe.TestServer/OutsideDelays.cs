using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>Queue delays measured without AsyncProbe: a thread of its own queues an item every few milliseconds and times its start.</summary>
internal static class OutsideDelays
{
    public static Task<double> Measure(TimeSpan time)
    {
        var done = new TaskCompletionSource<double>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() => done.SetResult(Run(time))) { IsBackground = true }.Start();
        return done.Task;
    }

    private static double Run(TimeSpan time)
    {
        List<long> delays = [];
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed < time)
        {
            var queuedAt = Stopwatch.GetTimestamp();
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    lock (delays)
                    {
                        delays.Add(Stopwatch.GetTimestamp() - queuedAt);
                    }
                },
                null);
            Thread.Sleep(20);
        }

        lock (delays)
        {
            return delays.Count == 0 ? 0 : delays.Average() * 1000 / Stopwatch.Frequency;
        }
    }
}
