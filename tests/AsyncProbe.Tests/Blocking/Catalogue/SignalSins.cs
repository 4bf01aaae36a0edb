using System.Collections.Concurrent;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Waits for a signal, a free place or an item.</summary>
internal static class SignalSins
{
    public static void SemaphoreSlim()
    {
        var semaphore = new SemaphoreSlim(0);
        OtherThread.Later(() => semaphore.Release());
        Here.Next();
        semaphore.Wait();
    }

    public static void ManualResetEventSlim()
    {
        var signal = new ManualResetEventSlim();
        OtherThread.Later(signal.Set);
        Here.Next();
        signal.Wait();
    }

    public static void ManualResetEvent()
    {
        var signal = new ManualResetEvent(false);
        OtherThread.Later(() => signal.Set());
        Here.Next();
        signal.WaitOne();
    }

    public static void AutoResetEvent()
    {
        var signal = new AutoResetEvent(false);
        OtherThread.Later(() => signal.Set());
        Here.Next();
        signal.WaitOne(10_000);
    }

    public static void WaitHandleAny()
    {
        WaitHandle[] signals = [new AutoResetEvent(false), new AutoResetEvent(false)];
        OtherThread.Later(() => ((AutoResetEvent)signals[1]).Set());
        Here.Next();
        WaitHandle.WaitAny(signals);
    }

    public static void WaitHandleAll()
    {
        WaitHandle[] signals = [new ManualResetEvent(true), new ManualResetEvent(false)];
        OtherThread.Later(() => ((ManualResetEvent)signals[1]).Set());
        Here.Next();
        WaitHandle.WaitAll(signals);
    }

    public static void Semaphore()
    {
        var semaphore = new Semaphore(0, 1);
        OtherThread.Later(() => semaphore.Release());
        Here.Next();
        semaphore.WaitOne();
    }

    public static void CountdownEvent()
    {
        var countdown = new CountdownEvent(1);
        OtherThread.Later(() => countdown.Signal());
        Here.Next();
        countdown.Wait();
    }

    public static void Barrier()
    {
        var barrier = new Barrier(2);
        OtherThread.Later(barrier.SignalAndWait);
        Here.Next();
        barrier.SignalAndWait();
    }

    public static void BlockingCollection()
    {
        var items = new BlockingCollection<int>();
        OtherThread.Later(() => items.Add(1));
        Here.Next();
        items.Take();
    }
}
