using System.Collections.Concurrent;

namespace AsyncProbe.TruthServer;

/// <summary>
/// A thread outside the pool that holds what a request wants, for a while. Requests don't start these threads, because that also waits.
/// </summary>
public static class Holder
{
    private const int Stock = 64;

    private static readonly ConcurrentQueue<(Thread Thread, ManualResetEvent End)> s_stock = new();

    static Holder()
    {
        for (var i = 0; i < Stock; i++)
        {
            Add();
        }
    }

    /// <summary>Returns once it is taken. Checking for that is work, not a wait.</summary>
    public static void Hold(int ms, Action take, Action giveBack)
    {
        var isTaken = false;
        Later.Do(0, () =>
        {
            take();
            Volatile.Write(ref isTaken, true);
            Later.Do(ms, giveBack);
        });
        while (!Volatile.Read(ref isTaken))
        {
            Thread.SpinWait(100);
        }
    }

    /// <summary>A running thread that ends after a while.</summary>
    public static Thread Start(int ms)
    {
        (Thread Thread, ManualResetEvent End) running;
        while (!s_stock.TryDequeue(out running))
        {
            Thread.SpinWait(100);
        }

        Later.Do(ms, () =>
        {
            running.End.Set();
            Add();
        });
        return running.Thread;
    }

    private static void Add()
    {
        var end = new ManualResetEvent(false);
        var thread = new Thread(() => end.WaitOne(), maxStackSize: 128 << 10) { IsBackground = true };
        thread.UnsafeStart();
        s_stock.Enqueue((thread, end));
    }
}
