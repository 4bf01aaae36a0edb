namespace AsyncProbe.Sample.Sins;

/// <summary>Waits for another thread to leave a critical section.</summary>
internal static class LockSins
{
    public static int Monitor(int ms)
    {
        var gate = new object();
        Holder.Hold(ms, () => System.Threading.Monitor.Enter(gate), () => System.Threading.Monitor.Exit(gate));
        lock (gate)
        {
            return ms;
        }
    }

    public static int ThreadingLock(int ms)
    {
        var gate = new Lock();
        Holder.Hold(ms, gate.Enter, gate.Exit);
        lock (gate)
        {
            return ms;
        }
    }

    public static int MonitorWait(int ms)
    {
        var gate = new object();
        lock (gate)
        {
            System.Threading.Monitor.Wait(gate, ms);
            return ms;
        }
    }

    public static int ReaderWriter(int ms)
    {
        var gate = new ReaderWriterLockSlim();
        Holder.Hold(ms, gate.EnterWriteLock, gate.ExitWriteLock);
        gate.EnterReadLock();
        gate.ExitReadLock();
        return ms;
    }

    public static int Mutex(int ms)
    {
        var mutex = new Mutex();
        Holder.Hold(ms, () => mutex.WaitOne(), mutex.ReleaseMutex);
        mutex.WaitOne();
        mutex.ReleaseMutex();
        return ms;
    }

    public static int Lazy(int ms)
    {
        var isBegun = false;
        var lazy = new Lazy<int>(() =>
        {
            Volatile.Write(ref isBegun, true);
            Thread.Sleep(ms);
            return ms;
        });
        new Thread(() => _ = lazy.Value) { IsBackground = true }.UnsafeStart();
        while (!Volatile.Read(ref isBegun))
        {
            Thread.SpinWait(50);
        }

        var value = lazy.Value;
        return value;
    }

    public static int StaticConstructor(int ms)
    {
        var type = SlowType.Next();
        SlowType.Construct(type, ms);
        System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor(type.TypeHandle);
        return ms;
    }
}
