using System.Collections.Concurrent;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>
/// A thread that takes something, says so, and keeps it for a while. It has begun long before: a new one keeps its creator waiting until it
/// runs, milliseconds on a crowded machine, where no hook sees it.
/// </summary>
internal static class OtherThread
{
    private static readonly BlockingCollection<Action> s_jobs = [];
    private static int s_free;

    /// <summary>Returns once the other thread has it. Spins, so that this is no wait of the caller.</summary>
    /// <param name="take">What it does first.</param>
    /// <param name="giveBack">What it does in the end.</param>
    /// <param name="waiter">Whose wait is to last; null for the calling thread, <see cref="Waiter.Nobody"/> when there is no wait.</param>
    public static void Take(Action take, Action giveBack, Waiter? waiter = null)
    {
        var has = false;
        waiter ??= Waiter.Here();
        if (Interlocked.Decrement(ref s_free) < 0)
        {
            new Thread(Run) { IsBackground = true }.Start();
            Interlocked.Increment(ref s_free);
        }

        s_jobs.Add(() =>
        {
            take();
            Volatile.Write(ref has, true);
            Keep(waiter);
            giveBack();
        });
        Eventually.Spin(() => Volatile.Read(ref has));
    }

    public static void Later(Action action, Waiter? waiter = null) => Take(() => { }, action, waiter);

    /// <summary>A task that ends a while after the waiter has begun to wait.</summary>
    /// <param name="waiter">Who waits for it; null for the calling thread.</param>
    public static Task Task(Waiter? waiter = null)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Later(done.SetResult, waiter);
        return done.Task;
    }

    /// <summary>A thread that ends a while after the waiter has begun to wait.</summary>
    /// <param name="waiter">Who waits for it; null for the calling thread.</param>
    public static Thread Start(Waiter? waiter = null)
    {
        waiter ??= Waiter.Here();
        var thread = new Thread(() => Keep(waiter)) { IsBackground = true };
        thread.Start();
        return thread;
    }

    // The time counts from when the caller waits: a crowded machine may keep it from coming there.
    private static void Keep(Waiter waiter)
    {
        waiter.AwaitItsWait();
        Thread.Sleep(Sins.Ms);
    }

    private static void Run()
    {
        foreach (var job in s_jobs.GetConsumingEnumerable())
        {
            job();
            Interlocked.Increment(ref s_free);
        }
    }
}
