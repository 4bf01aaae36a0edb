namespace AsyncProbe.TestServer;

/// <summary>Two requests that each hold what the other one waits for.</summary>
internal static class Deadlock
{
    private static readonly object s_first = new();
    private static readonly object s_second = new();
    private static int s_holders;

    public static void First()
    {
        lock (s_first)
        {
            WaitForBoth();
            lock (s_second)
            {
                Thread.MemoryBarrier();
            }
        }
    }

    public static void Second()
    {
        lock (s_second)
        {
            WaitForBoth();
            lock (s_first)
            {
                Thread.MemoryBarrier();
            }
        }
    }

    private static void WaitForBoth()
    {
        Interlocked.Increment(ref s_holders);
        while (Volatile.Read(ref s_holders) < 2)
        {
            Thread.Yield();
        }
    }
}
