namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>A thread of its own that takes something, says so, and keeps it for a while.</summary>
internal static class OtherThread
{
    /// <summary>Returns once the other thread has it. Spins, so that this is no wait of the caller.</summary>
    /// <param name="take">What it does first.</param>
    /// <param name="giveBack">What it does in the end.</param>
    /// <param name="waiter">Whose wait is to last; null for the calling thread, <see cref="Waiter.Nobody"/> when there is no wait.</param>
    public static Thread Take(Action take, Action giveBack, Waiter? waiter = null)
    {
        var has = false;
        waiter ??= Waiter.Here();
        var thread = new Thread(() =>
        {
            take();
            Volatile.Write(ref has, true);

            // The time counts from when the caller waits: a crowded machine may keep it from coming there.
            waiter.AwaitItsWait();
            Thread.Sleep(Sins.Ms);
            giveBack();
        })
        { IsBackground = true };
        thread.Start();
        Eventually.Spin(() => Volatile.Read(ref has));

        return thread;
    }

    public static Thread Later(Action action, Waiter? waiter = null) => Take(() => { }, action, waiter);

    /// <summary>A task that ends a while after the waiter has begun to wait.</summary>
    /// <param name="waiter">Who waits for it; null for the calling thread.</param>
    public static Task Task(Waiter? waiter = null)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Later(done.SetResult, waiter);
        return done.Task;
    }
}
