namespace AsyncProbe.Sample.Sins;

/// <summary>Critical sections without contention, or with very little.</summary>
internal static class LockInnocents
{
    public static int Monitor(int ms)
    {
        lock (new object())
        {
            return ms;
        }
    }

    public static int ThreadingLock(int ms)
    {
        var gate = new Lock();
        lock (gate)
        {
            return ms;
        }
    }

    // Another thread holds the lock for a fifth of a millisecond, which is too short for a row in the report.
    public static int Brief(int ms)
    {
        var gate = new object();
        var isTaken = false;
        new Thread(() =>
        {
            lock (gate)
            {
                Volatile.Write(ref isTaken, true);
                Spin.For(TimeSpan.FromMilliseconds(0.2));
            }
        })
        { IsBackground = true }.UnsafeStart();
        while (!Volatile.Read(ref isTaken))
        {
            Thread.SpinWait(50);
        }

        lock (gate)
        {
            return ms;
        }
    }

    public static int Readers(int ms)
    {
        var gate = new ReaderWriterLockSlim();
        Holder.Hold(ms, gate.EnterReadLock, gate.ExitReadLock);
        gate.EnterReadLock();
        gate.ExitReadLock();
        return ms;
    }

    public static int Mutex(int ms)
    {
        var mutex = new Mutex();
        mutex.WaitOne();
        mutex.ReleaseMutex();
        return ms;
    }

    public static int Lazy(int ms)
    {
        var lazy = new Lazy<int>(() => ms);
        var value = lazy.Value;
        return value;
    }
}
