using System.Collections.Concurrent;
using System.Diagnostics;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>One method for each way to block a thread that the wait hook sees. Each waits once, in the line after <see cref="Here.Next"/>.</summary>
internal static class Sins
{
    public const int Ms = 60;

    public static HttpClient Http { get; set; } = null!;

    public static void TaskWait()
    {
        var task = Task.Delay(Ms);
        Here.Next();
        task.Wait();
    }

    public static void TaskWaitTimeout()
    {
        var task = Task.Delay(Ms);
        Here.Next();
        task.Wait(10_000);
    }

    public static void TaskWaitToken()
    {
        using var source = new CancellationTokenSource();
        var task = Task.Delay(Ms);
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
        var task = Task.Delay(Ms);
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
        var task = Task.Delay(Ms);
        Here.Next();
        task.ConfigureAwait(false).GetAwaiter().GetResult();
    }

    public static void ValueTaskAsTaskWait()
    {
        var task = new ValueTask(Task.Delay(Ms));
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
        Task[] tasks = [Task.Delay(Ms), Task.Delay(Ms)];
        Here.Next();
        Task.WaitAll(tasks);
    }

    public static void TaskWaitAny()
    {
        Task[] tasks = [Task.Delay(Ms), Task.Delay(Ms)];
        Here.Next();
        Task.WaitAny(tasks);
    }

    public static void TaskRunWait()
    {
        var task = Task.Run(() => Task.Delay(Ms));
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

    public static void SemaphoreSlim()
    {
        var semaphore = new SemaphoreSlim(0);
        OtherThread.Later(() => semaphore.Release());
        Here.Next();
        semaphore.Wait();
    }

    public static void ManualResetEventSlim()
    {
        var signal = new ManualResetEventSlim();
        OtherThread.Later(signal.Set);
        Here.Next();
        signal.Wait();
    }

    public static void ManualResetEvent()
    {
        var signal = new ManualResetEvent(false);
        OtherThread.Later(() => signal.Set());
        Here.Next();
        signal.WaitOne();
    }

    public static void AutoResetEvent()
    {
        var signal = new AutoResetEvent(false);
        OtherThread.Later(() => signal.Set());
        Here.Next();
        signal.WaitOne(10_000);
    }

    public static void WaitHandleAny()
    {
        WaitHandle[] signals = [new AutoResetEvent(false), new AutoResetEvent(false)];
        OtherThread.Later(() => ((AutoResetEvent)signals[1]).Set());
        Here.Next();
        WaitHandle.WaitAny(signals);
    }

    public static void WaitHandleAll()
    {
        WaitHandle[] signals = [new ManualResetEvent(true), new ManualResetEvent(false)];
        OtherThread.Later(() => ((ManualResetEvent)signals[1]).Set());
        Here.Next();
        WaitHandle.WaitAll(signals);
    }

    public static void LockStatement()
    {
        var gate = new object();
        OtherThread.Take(() => Monitor.Enter(gate), () => Monitor.Exit(gate));
        Here.Next();
        lock (gate)
        {
            Thread.MemoryBarrier();
        }
    }

    public static void MonitorTryEnter()
    {
        var gate = new object();
        OtherThread.Take(() => Monitor.Enter(gate), () => Monitor.Exit(gate));
        Here.Next();
        Monitor.TryEnter(gate, 10_000);
        Monitor.Exit(gate);
    }

    public static void ThreadingLock()
    {
        var gate = new Lock();
        OtherThread.Take(gate.Enter, gate.Exit);
        Here.Next();
        lock (gate)
        {
            Thread.MemoryBarrier();
        }
    }

    public static void MonitorWait()
    {
        var gate = new object();
        lock (gate)
        {
            Here.Next();
            Monitor.Wait(gate, Ms);
        }
    }

    public static void Mutex()
    {
        var mutex = new Mutex();
        OtherThread.Take(() => mutex.WaitOne(), mutex.ReleaseMutex);
        Here.Next();
        mutex.WaitOne();
        mutex.ReleaseMutex();
    }

    public static void Semaphore()
    {
        var semaphore = new Semaphore(0, 1);
        OtherThread.Later(() => semaphore.Release());
        Here.Next();
        semaphore.WaitOne();
    }

    public static void ReaderWriterLockSlim()
    {
        var gate = new ReaderWriterLockSlim();
        OtherThread.Take(gate.EnterWriteLock, gate.ExitWriteLock);
        Here.Next();
        gate.EnterReadLock();
        gate.ExitReadLock();
    }

    public static void CountdownEvent()
    {
        var countdown = new CountdownEvent(1);
        OtherThread.Later(() => countdown.Signal());
        Here.Next();
        countdown.Wait();
    }

    public static void Barrier()
    {
        var barrier = new Barrier(2);
        OtherThread.Later(barrier.SignalAndWait);
        Here.Next();
        barrier.SignalAndWait();
    }

    public static void BlockingCollection()
    {
        var items = new BlockingCollection<int>();
        OtherThread.Later(() => items.Add(1));
        Here.Next();
        items.Take();
    }

    public static void ThreadJoin()
    {
        var thread = OtherThread.Later(() => { });
        Here.Next();
        thread.Join();
    }

    public static void ProcessWaitForExit()
    {
        using var process = Process.Start("sleep", "0.1");
        Here.Next();
        process.WaitForExit();
    }

    public static void HttpClientSend()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/slow");
        Here.Next();
        using var response = Http.Send(request);
    }

    public static void HttpClientGetResult()
    {
        var task = Http.GetStringAsync(new Uri("/slow", UriKind.Relative));
        Here.Next();
        _ = task.Result;
    }

    public static void LazyValue()
    {
        var inside = false;
        var lazy = new Lazy<int>(() =>
        {
            Volatile.Write(ref inside, true);
            Thread.Sleep(Ms);
            return 1;
        });
        new Thread(() => _ = lazy.Value) { IsBackground = true }.Start();
        while (!Volatile.Read(ref inside))
        {
            Thread.Yield();
        }

        Here.Next();
        _ = lazy.Value;
    }

    public static void ParallelFor()
    {
        var caller = Environment.CurrentManagedThreadId;
        var isOtherIn = false;
        Here.Next();
        Parallel.For(0, 2, _ =>
        {
            if (Environment.CurrentManagedThreadId != caller)
            {
                Volatile.Write(ref isOtherIn, true);
                Thread.Sleep(3 * Ms);
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
        await Task.Delay(Ms);
        return 1;
    }

    private static async IAsyncEnumerable<int> DelayedValues()
    {
        await Task.Delay(Ms);
        yield return 1;
    }

    private sealed class SlowToDispose : IAsyncDisposable
    {
        public async ValueTask DisposeAsync() => await Task.Delay(Ms);
    }
}
