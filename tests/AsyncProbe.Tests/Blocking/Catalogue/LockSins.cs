namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Waits for another thread to leave a critical section.</summary>
internal static class LockSins
{
    public static void LockStatement()
    {
        var gate = new object();
        OtherThread.Take(() => Monitor.Enter(gate), () => Monitor.Exit(gate));
        Here.Next();
        lock (gate)
        {
            Thread.MemoryBarrier();
        }
    }

    public static void MonitorTryEnter()
    {
        var gate = new object();
        OtherThread.Take(() => Monitor.Enter(gate), () => Monitor.Exit(gate));
        Here.Next();
        Monitor.TryEnter(gate, 10_000);
        Monitor.Exit(gate);
    }

#if NET9_0_OR_GREATER
    public static void ThreadingLock()
    {
        var gate = new System.Threading.Lock();
        OtherThread.Take(gate.Enter, gate.Exit);
        Here.Next();
        lock (gate)
        {
            Thread.MemoryBarrier();
        }
    }
#endif

    public static void MonitorWait()
    {
        var gate = new object();
        lock (gate)
        {
            Here.Next();
            Monitor.Wait(gate, Sins.Ms);
        }
    }

    public static void Mutex()
    {
        var mutex = new Mutex();
        OtherThread.Take(() => mutex.WaitOne(), mutex.ReleaseMutex);
        Here.Next();
        mutex.WaitOne();
        mutex.ReleaseMutex();
    }

    public static void ReaderWriterLockSlim()
    {
        var gate = new ReaderWriterLockSlim();
        OtherThread.Take(gate.EnterWriteLock, gate.ExitWriteLock);
        Here.Next();
        gate.EnterReadLock();
        gate.ExitReadLock();
    }

    public static void LazyValue()
    {
        var inside = false;
        var waiter = Waiter.Here();
        var lazy = new Lazy<int>(() =>
        {
            Volatile.Write(ref inside, true);
            waiter.AwaitItsWait();
            Thread.Sleep(Sins.Ms);
            return 1;
        });
        new Thread(() => _ = lazy.Value) { IsBackground = true }.Start();
        Eventually.Spin(() => Volatile.Read(ref inside));

        Here.Next();
        _ = lazy.Value;
    }
}
