namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>A thread of its own that takes something, says so, and keeps it for a while.</summary>
internal static class OtherThread
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(200);

    /// <summary>Returns once the other thread has it. Spins, so that this is no wait of the caller.</summary>
    public static Thread Take(Action take, Action giveBack, int keepMs = Sins.Ms)
    {
        var has = false;
        var caller = Thread.CurrentThread;
        var thread = new Thread(() =>
        {
            take();
            Volatile.Write(ref has, true);

            // The time counts from when the caller waits: a crowded machine may keep it from coming there. A twin never comes there.
            SpinWait.SpinUntil(() => (caller.ThreadState & ThreadState.WaitSleepJoin) != 0, s_patience);
            Thread.Sleep(keepMs);
            giveBack();
        })
        { IsBackground = true };
        thread.Start();
        while (!Volatile.Read(ref has))
        {
            Thread.Yield();
        }

        return thread;
    }

    public static Thread Later(Action action) => Take(() => { }, action);
}
