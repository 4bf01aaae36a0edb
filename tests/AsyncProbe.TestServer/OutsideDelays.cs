using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>
/// Queue delays measured without AsyncProbe: a separate thread queues an item every few milliseconds and times its start.
/// </summary>
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
            // The median: a stall of the whole machine affects only a few of many, and would move the mean by half.
            return delays.Count == 0 ? 0 : delays.Order().ElementAt(delays.Count / 2) * 1000.0 / Stopwatch.Frequency;
        }
    }
}
