namespace AsyncProbe.TruthServer;

/// <summary>Somebody else who has what a request wants, for a while: a thread outside the pool.</summary>
public static class Holder
{
    /// <summary>Returns once it is taken. Looking for that is work and no wait.</summary>
    public static void Hold(int ms, Action take, Action giveBack)
    {
        var isTaken = false;
        new Thread(() =>
        {
            take();
            Volatile.Write(ref isTaken, true);
            Thread.Sleep(ms);
            giveBack();
        })
        { IsBackground = true }.UnsafeStart();
        while (!Volatile.Read(ref isTaken))
        {
            Thread.SpinWait(100);
        }
    }

    /// <summary>A started thread that ends after a while.</summary>
    public static Thread Start(int ms)
    {
        var thread = new Thread(() => Thread.Sleep(ms)) { IsBackground = true };
        thread.UnsafeStart();
        return thread;
    }
}
