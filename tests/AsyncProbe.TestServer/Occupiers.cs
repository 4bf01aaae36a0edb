using System.Diagnostics;
using System.Threading.Channels;

namespace AsyncProbe.TestServer;

/// <summary>
/// Three kinds of work that blocks, each unit of which is an operation: timers, a channel's consumers, and loops in hosted services.
/// </summary>
internal static class Occupiers
{
    private static readonly List<Timer> s_timers = [];
    private static long s_blockingSince;

    /// <summary>When the first of them began to block, in stopwatch ticks; null if none has.</summary>
    public static long? BlockingSince => Volatile.Read(ref s_blockingSince) is not 0 and var since ? since : null;

    public static void Start(string kind, int count, int milliseconds, int seconds)
    {
        var until = Environment.TickCount64 + (seconds * 1000);

        // The request that starts them ends long before they do.
        using (ExecutionContext.SuppressFlow())
        {
            switch (kind)
            {
                case "timer":
                    StartTimers(count, milliseconds, until);
                    break;
                case "consumer":
                    StartConsumers(count, milliseconds, until);
                    break;
                default:
                    StartServices(count, milliseconds, until);
                    break;
            }
        }
    }

    private static void StartTimers(int count, int milliseconds, long until)
    {
        lock (s_timers)
        {
            s_timers.AddRange(Enumerable.Range(0, count).Select(_ => new Timer(
                _ =>
                {
                    if (Environment.TickCount64 < until)
                    {
                        using var operation = AsyncProbeOperation.Start("price feed");
                        Block(milliseconds);
                    }
                },
                null,
                0,
                100)));
        }
    }

    private static void StartConsumers(int count, int milliseconds, long until)
    {
        var orders = Channel.CreateUnbounded<int>();
        for (var i = 0; i < count; i++)
        {
            orders.Writer.TryWrite(i);
            _ = Task.Run(async () =>
            {
                await foreach (var order in orders.Reader.ReadAllAsync())
                {
                    using (AsyncProbeOperation.Start("order"))
                    {
                        Block(milliseconds);
                    }

                    if (Environment.TickCount64 < until)
                    {
                        orders.Writer.TryWrite(order);
                    }
                }
            });
        }
    }

    private static void StartServices(int count, int milliseconds, long until)
    {
        for (var i = 0; i < count; i++)
        {
            _ = new Importer(milliseconds, until).StartAsync(CancellationToken.None);
        }
    }

    private static void Block(int milliseconds)
    {
        Interlocked.CompareExchange(ref s_blockingSince, Stopwatch.GetTimestamp(), 0);
        Thread.Sleep(milliseconds);
    }

    private sealed class Importer(int milliseconds, long until) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (Environment.TickCount64 < until)
            {
                await Task.Yield();
                using var operation = AsyncProbeOperation.Start("import");
                Block(milliseconds);
            }
        }
    }
}
