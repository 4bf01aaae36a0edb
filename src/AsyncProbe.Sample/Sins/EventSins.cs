namespace AsyncProbe.Sample.Sins;

/// <summary>Waits for a signal.</summary>
internal static class EventSins
{
    public static int ManualSlim(int ms)
    {
        var signal = new ManualResetEventSlim();
        Holder.After(ms, signal.Set);
        signal.Wait();
        return ms;
    }

    public static int Manual(int ms)
    {
        var signal = new ManualResetEvent(false);
        Holder.After(ms, () => signal.Set());
        signal.WaitOne();
        return ms;
    }

    public static int Auto(int ms)
    {
        var signal = new AutoResetEvent(false);
        Holder.After(ms, () => signal.Set());
        signal.WaitOne();
        return ms;
    }

    public static int Any(int ms)
    {
        var first = new ManualResetEvent(false);
        var second = new ManualResetEvent(false);
        Holder.After(ms, () => second.Set());
        WaitHandle.WaitAny([first, second]);
        return ms;
    }

    public static int All(int ms)
    {
        var first = new ManualResetEvent(true);
        var second = new ManualResetEvent(false);
        Holder.After(ms, () => second.Set());
        WaitHandle.WaitAll([first, second]);
        return ms;
    }

    public static int Countdown(int ms)
    {
        var countdown = new CountdownEvent(1);
        Holder.After(ms, () => countdown.Signal());
        countdown.Wait();
        return ms;
    }

    public static int Barrier(int ms)
    {
        var barrier = new Barrier(2);
        Holder.After(ms, barrier.SignalAndWait);
        barrier.SignalAndWait();
        return ms;
    }

    public static int AlreadySet(int ms)
    {
        var signal = new ManualResetEventSlim(true);
        signal.Wait();
        return ms;
    }

    public static int LastParticipant(int ms)
    {
        var barrier = new Barrier(1);
        barrier.SignalAndWait();
        return ms;
    }
}
