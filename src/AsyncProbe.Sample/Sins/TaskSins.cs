namespace AsyncProbe.Sample.Sins;

/// <summary>
/// Waits for tasks. Each method does something after its wait, because otherwise optimized code would jump into the wait and the method
/// would be missing from the stack. The other sins do the same.
/// </summary>
internal static class TaskSins
{
    public static int Wait(int ms)
    {
        Task.Delay(ms).Wait();
        return ms;
    }

    public static int WaitTimeout(int ms)
    {
        new TaskCompletionSource().Task.Wait(TimeSpan.FromMilliseconds(ms));
        return ms;
    }

    public static int WaitToken(int ms)
    {
        Task.Delay(ms).Wait(CancellationToken.None);
        return ms;
    }

    public static int Result(int ms)
    {
        var answer = Later.AnswerAsync(ms).Result;
        return answer;
    }

    public static int GetResult(int ms)
    {
        Task.Delay(ms).GetAwaiter().GetResult();
        return ms;
    }

    public static int GetResultConfigured(int ms)
    {
        Task.Delay(ms).ConfigureAwait(false).GetAwaiter().GetResult();
        return ms;
    }

    public static int WaitAll(int ms)
    {
        Task.WaitAll(Task.Delay(ms), Task.Delay(ms / 2));
        return ms;
    }

    public static int WaitAny(int ms)
    {
        Task.WaitAny(Task.Delay(ms), Task.Delay(ms * 2));
        return ms;
    }

    // Holds two threads: this one, and the one that sleeps.
    public static int RunWait(int ms)
    {
        var isBegun = false;
        var task = Task.Run(() =>
        {
            Volatile.Write(ref isBegun, true);
            Thread.Sleep(ms);
        });

        // If the task hasn't started, Wait() runs it on this thread, and then it doesn't wait.
        while (!Volatile.Read(ref isBegun))
        {
            Thread.SpinWait(50);
        }

        task.Wait();
        return ms;
    }

    public static int BlockingEnumerable(int ms)
    {
        var sum = 0;
        foreach (var item in Later.ItemsAsync(ms).ToBlockingEnumerable())
        {
            sum += item;
        }

        return sum;
    }

    public static int ParallelFor(int ms)
    {
        var caller = Environment.CurrentManagedThreadId;
        var hasHelper = false;
        Parallel.For(0, 2, new ParallelOptions { MaxDegreeOfParallelism = 2 }, _ =>
        {
            if (Environment.CurrentManagedThreadId == caller)
            {
                // A helper must take the other half, because otherwise there would be no other thread to wait for.
                SpinWait.SpinUntil(() => Volatile.Read(ref hasHelper), TimeSpan.FromSeconds(1));
                return;
            }

            Volatile.Write(ref hasHelper, true);
            Thread.Sleep(ms);
        });
        return ms;
    }
}
