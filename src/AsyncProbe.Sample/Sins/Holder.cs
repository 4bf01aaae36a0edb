namespace AsyncProbe.Sample.Sins;

/// <summary>
/// Holds something that the request wants, for a while, on a dedicated thread outside the pool and the request. The object is not
/// disposed but left to the garbage collector, because the thread may still be using it when the request has finished.
/// </summary>
internal static class Holder
{
    /// <summary>Takes it, holds it for that time, and releases it. Returns once it is taken.</summary>
    public static Thread Hold(int ms, Action take, Action giveBack)
    {
        var isTaken = false;
        var thread = new Thread(() =>
        {
            take();
            Volatile.Write(ref isTaken, true);
            Thread.Sleep(ms);
            giveBack();
        })
        {
            IsBackground = true,
            Name = "Holder",
        };
        thread.UnsafeStart();

        // Spin, because that is work. Waiting here for the thread would be another sin in the report.
        while (!Volatile.Read(ref isTaken))
        {
            Thread.SpinWait(50);
        }

        return thread;
    }

    /// <summary>Does something after that time.</summary>
    public static Thread After(int ms, Action act) => Hold(ms, static () => { }, act);
}
