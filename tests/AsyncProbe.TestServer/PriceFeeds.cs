namespace AsyncProbe.TestServer;

/// <summary>Timers whose work blocks, each run of it an operation.</summary>
internal static class PriceFeeds
{
    private static readonly List<Timer> s_timers = [];

    public static void Start(int timers, int milliseconds, int seconds)
    {
        var until = Environment.TickCount64 + (seconds * 1000);

        // The request that asks for them is over long before.
        using (ExecutionContext.SuppressFlow())
        {
            lock (s_timers)
            {
                s_timers.AddRange(Enumerable.Range(0, timers).Select(_ => new Timer(
                    _ =>
                    {
                        if (Environment.TickCount64 < until)
                        {
                            using var operation = AsyncProbeOperation.Start("price feed");
                            Thread.Sleep(milliseconds);
                        }
                    },
                    null,
                    0,
                    100)));
            }
        }
    }
}
