using System.Collections.Concurrent;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>
/// A thread that takes something, signals that it has, and keeps it for a while. It starts long before it is needed: creating a thread
/// waits until it runs, which takes milliseconds on a crowded machine, and no hook sees that wait.
/// </summary>
internal static class OtherThread
{
    private static readonly BlockingCollection<Action> s_jobs = [];
    private static int s_free;

    /// <summary>Returns once the other thread has it. Spins, so that the caller doesn't wait.</summary>
    /// <param name="take">What the thread does first.</param>
    /// <param name="giveBack">What the thread does at the end.</param>
    /// <param name="waiter">The thread whose wait must last; null for the calling thread, <see cref="Waiter.Nobody"/> for none.</param>
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

    /// <summary>A task that ends a while after the waiter starts to wait.</summary>
    /// <param name="waiter">The thread that waits for it; null for the calling thread.</param>
    public static Task Task(Waiter? waiter = null)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Later(done.SetResult, waiter);
        return done.Task;
    }

    /// <summary>A thread that ends a while after the waiter starts to wait.</summary>
    /// <param name="waiter">The thread that waits for it; null for the calling thread.</param>
    public static Thread Start(Waiter? waiter = null)
    {
        waiter ??= Waiter.Here();
        var thread = new Thread(() => Keep(waiter)) { IsBackground = true };
        thread.Start();
        return thread;
    }

    // The time counts from when the caller waits: a crowded machine may delay the caller on its way there.
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
