namespace AsyncProbe.Sample.Sins;

/// <summary>
/// Somebody else who has what the request wants, for a while: a thread of its own, outside the pool and outside the request. What it
/// holds is not disposed but left to the collector: the thread may still be on its way out when the request is through.
/// </summary>
internal static class Holder
{
    /// <summary>Takes, keeps for so long, and gives back. Returns once it is taken.</summary>
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

        // Spinning is work, not a wait: waiting here for the thread would be a sin of its own in the report.
        while (!Volatile.Read(ref isTaken))
        {
            Thread.SpinWait(50);
        }

        return thread;
    }

    /// <summary>Does something after so long.</summary>
    public static Thread After(int ms, Action act) => Hold(ms, static () => { }, act);
}
