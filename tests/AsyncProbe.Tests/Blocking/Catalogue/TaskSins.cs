using System.Diagnostics;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Waits for tasks.</summary>
internal static class TaskSins
{
    public const string ParallelForWorker = "ParallelFor, its last worker";

    public static void TaskWait()
    {
        var task = OtherThread.Task();
        Here.Next();
        task.Wait();
    }

    public static void TaskWaitTimeout()
    {
        var task = OtherThread.Task();
        Here.Next();
        task.Wait(10_000);
    }

    public static void TaskWaitToken()
    {
        using var source = new CancellationTokenSource();
        var task = OtherThread.Task();
        Here.Next();
        task.Wait(source.Token);
    }

    public static void TaskResult()
    {
        var task = DelayedValue();
        Here.Next();
        _ = task.Result;
    }

    public static void TaskGetResult()
    {
        var task = OtherThread.Task();
        Here.Next();
        task.GetAwaiter().GetResult();
    }

    public static void TaskOfTGetResult()
    {
        var task = DelayedValue();
        Here.Next();
        _ = task.GetAwaiter().GetResult();
    }

    public static void TaskGetResultConfigured()
    {
        var task = OtherThread.Task();
        Here.Next();
        task.ConfigureAwait(false).GetAwaiter().GetResult();
    }

    public static void ValueTaskAsTaskWait()
    {
        var task = new ValueTask(OtherThread.Task());
        Here.Next();
        task.AsTask().Wait();
    }

    public static void ValueTaskResult()
    {
        var task = new ValueTask<int>(DelayedValue());
        Here.Next();
        _ = task.Result;
    }

    public static void TaskWaitAll()
    {
        Task[] tasks = [OtherThread.Task(), OtherThread.Task()];
        Here.Next();
        Task.WaitAll(tasks);
    }

    public static void TaskWaitAny()
    {
        Task[] tasks = [OtherThread.Task(), OtherThread.Task()];
        Here.Next();
        Task.WaitAny(tasks);
    }

    public static void TaskRunWait()
    {
        var caller = Waiter.Here();
        var task = Task.Run(() => OtherThread.Task(caller));
        Here.Next();
        task.Wait();
    }

    public static void ToBlockingEnumerable()
    {
        var values = DelayedValues().ToBlockingEnumerable().GetEnumerator();
        Here.Next();
        values.MoveNext();
        values.Dispose();
    }

    public static void DisposeAsync()
    {
        var resource = new SlowToDispose();
        Here.Next();
        resource.DisposeAsync().AsTask().Wait();
    }

    public static void ParallelFor()
    {
        var caller = Environment.CurrentManagedThreadId;
        var waiter = Waiter.Here();
        var isOtherIn = false;
        Here.Next();
        Parallel.For(0, 2, _ =>
        {
            if (Environment.CurrentManagedThreadId != caller)
            {
                Volatile.Write(ref isOtherIn, true);
                waiter.AwaitItsWait();
                Here.Next(ParallelForWorker);
                Thread.Sleep(Sins.Ms);
            }
            else
            {
                var patience = Stopwatch.StartNew();
                while (!Volatile.Read(ref isOtherIn) && patience.ElapsedMilliseconds < 5000)
                {
                    Thread.Yield();
                }
            }
        });
    }

    private static async Task<int> DelayedValue()
    {
        await OtherThread.Task();
        return 1;
    }

    private static async IAsyncEnumerable<int> DelayedValues()
    {
        await OtherThread.Task();
        yield return 1;
    }

    private sealed class SlowToDispose : IAsyncDisposable
    {
        public async ValueTask DisposeAsync() => await OtherThread.Task();
    }
}
