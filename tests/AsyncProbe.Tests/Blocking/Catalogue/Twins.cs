using System.Collections.Concurrent;
using System.Diagnostics;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Code that only looks as if it blocks, and must not be reported.</summary>
internal static class Twins
{
    public static Dictionary<string, Func<Task>> All { get; } = new()
    {
        ["completed task waited for"] = Now(() => Task.CompletedTask.Wait()),
        ["Wait(0)"] = Now(() => Task.Delay(Sins.Ms).Wait(0)),
        ["Result after await"] = async () =>
        {
            var task = Value();
            await task;
            _ = task.Result;
        },
        ["GetResult of a completed task"] = Now(() => Task.FromResult(1).GetAwaiter().GetResult()),
        ["completed ValueTask"] = Now(() => new ValueTask<int>(1).AsTask().Wait()),
        ["awaited WhenAll and WhenAny"] = async () =>
        {
            await Task.WhenAll(Task.Delay(Sins.Ms), Task.Delay(Sins.Ms));
            await Task.WhenAny(Task.Delay(Sins.Ms), Task.Delay(Sins.Ms));
        },
        ["awaited Task.Run"] = () => Task.Run(() => Task.Delay(Sins.Ms)),
        ["await foreach"] = async () =>
        {
            await foreach (var _ in Values())
            {
            }
        },
        ["await using"] = async () =>
        {
            await using var resource = new MemoryStream();
        },
        ["SemaphoreSlim.WaitAsync"] = async () =>
        {
            using var semaphore = new SemaphoreSlim(0);
            OtherThread.Later(() => semaphore.Release(), Waiter.Nobody);
            await semaphore.WaitAsync();
        },
        ["free SemaphoreSlim"] = Now(() => new SemaphoreSlim(1).Wait()),
        ["SemaphoreSlim.Wait(0)"] = Now(() => new SemaphoreSlim(0).Wait(0)),
        ["event that is set"] = Now(() =>
        {
            new ManualResetEventSlim(true).Wait();
            new ManualResetEvent(true).WaitOne();
            new AutoResetEvent(true).WaitOne();
        }),
        ["uncontended lock"] = Now(() =>
        {
            lock (new object())
            {
                Thread.MemoryBarrier();
            }
        }),
#if NET9_0_OR_GREATER
        ["uncontended System.Threading.Lock"] = Now(() => new System.Threading.Lock().EnterScope().Dispose()),
#endif
        ["free Mutex"] = Now(() =>
        {
            using var mutex = new Mutex();
            mutex.WaitOne();
            mutex.ReleaseMutex();
        }),
        ["readers only"] = Now(() =>
        {
            using var gate = new ReaderWriterLockSlim();
            gate.EnterReadLock();
            gate.ExitReadLock();
        }),
        ["last participant"] = Now(() =>
        {
            new Barrier(1).SignalAndWait();
            new CountdownEvent(0).Wait();
        }),
        ["item present"] = Now(() =>
        {
            var items = new BlockingCollection<int> { 1 };
            items.Take();
        }),
        ["thread that has ended"] = async () =>
        {
            var thread = OtherThread.Start(Waiter.Nobody);
            while (thread.IsAlive)
            {
                await Task.Delay(1);
            }

            thread.Join();
        },
        ["WaitForExitAsync"] = async () =>
        {
            using var process = OutsideSins.ShortProcess();
            await process.WaitForExitAsync();
        },
        ["awaited GetStringAsync"] = () => Sins.Http.GetStringAsync(new Uri("/slow", UriKind.Relative)),
        ["awaited Task.Delay"] = () => Task.Delay(200),
        ["Sleep(0)"] = Now(() => Thread.Sleep(0)),
        ["initialised Lazy"] = Now(() =>
        {
            var lazy = new Lazy<int>(1);
            _ = lazy.Value + lazy.Value;
        }),
        ["Parallel.ForEachAsync"] = () => Parallel.ForEachAsync(Enumerable.Range(0, 4), async (_, _) => await Task.Delay(10)),
        ["CPU loop"] = Now(() =>
        {
            var watch = Stopwatch.StartNew();
            while (watch.ElapsedMilliseconds < 100)
            {
                Thread.SpinWait(100);
            }
        }),
        ["forced blocking GC"] = Now(() => GC.Collect(2, GCCollectionMode.Forced, blocking: true)),
        ["dedicated thread that sleeps"] = async () =>
        {
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            new Thread(() =>
            {
                Task.Delay(Sins.Ms).Wait();
                done.SetResult();
            }).Start();
            await done.Task;
        },
        ["LongRunning task that waits"] = () =>
            Task.Factory.StartNew(
                () => Task.Delay(Sins.Ms).Wait(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default),
    };

    private static Func<Task> Now(Action action) => () =>
    {
        action();
        return Task.CompletedTask;
    };

    private static async Task<int> Value()
    {
        await Task.Delay(Sins.Ms);
        return 1;
    }

    private static async IAsyncEnumerable<int> Values()
    {
        await Task.Delay(Sins.Ms);
        yield return 1;
    }
}
