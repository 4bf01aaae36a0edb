namespace AsyncProbe.Sample.Sins;

/// <summary>Waits for a thread or process to end, and sleeps.</summary>
internal static class ThreadSins
{
    // Started and joined in advance, because starting a thread waits natively until the thread runs.
    private static readonly Thread Ended = MakeEnded();

    public static int Join(int ms)
    {
        Holder.After(ms, static () => { }).Join();
        return ms;
    }

    public static int WaitForExit(int ms)
    {
        using var process = Nap.Start(ms);
        process.WaitForExit();
        return ms;
    }

    public static int Sleep(int ms)
    {
        Thread.Sleep(ms);
        return ms;
    }

    public static int ManyShort(int ms)
    {
        for (var i = 0; i < ms; i++)
        {
            Thread.Sleep(1);
        }

        return ms;
    }

    public static int JoinEnded(int ms)
    {
        Ended.Join();
        return ms;
    }

    public static async Task WaitForExitAsync(HttpContext context, int ms)
    {
        using var process = Nap.Start(ms);
        await process.WaitForExitAsync();
    }

    public static int SleepZero(int ms)
    {
        Thread.Sleep(0);
        return ms;
    }

    public static Task Delay(HttpContext context, int ms) => Task.Delay(ms);

    public static int Compute(int ms)
    {
        Spin.For(TimeSpan.FromMilliseconds(ms));
        return ms;
    }

    public static int Collect(int ms)
    {
        GC.Collect(2, GCCollectionMode.Forced, blocking: true);
        return ms;
    }

    private static Thread MakeEnded()
    {
        var thread = new Thread(static () => { });
        thread.Start();
        thread.Join();
        return thread;
    }
}
