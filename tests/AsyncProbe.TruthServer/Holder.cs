using System.Collections.Concurrent;

namespace AsyncProbe.TruthServer;

/// <summary>
/// Somebody else who has what a request wants, for a while: a thread outside the pool. No request starts one, for that is a wait too.
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

    /// <summary>Returns once it is taken. Looking for that is work and no wait.</summary>
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
