namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <param name="Code">What blocks, as a developer writes it.</param>
/// <param name="Kind">The kind that the report must name; null for what only the clock sees.</param>
/// <param name="Sin">The method that does it, and that must be blamed.</param>
internal sealed record CatalogueRow(string Code, string? Kind, Action Sin)
{
    public string Method => Sin.Method.Name;

    public static IReadOnlyList<CatalogueRow> All { get; } =
    [
        new("task.Wait()", "Task.Wait", Sins.TaskWait),
        new("task.Wait(timeout)", "Task.Wait", Sins.TaskWaitTimeout),
        new("task.Wait(token)", "Task.Wait", Sins.TaskWaitToken),
        new("task.Result", "Task.Result", Sins.TaskResult),
        new("task.GetAwaiter().GetResult()", "Task.GetResult", Sins.TaskGetResult),
        new("taskOfT.GetAwaiter().GetResult()", "Task.GetResult", Sins.TaskOfTGetResult),
        new("task.ConfigureAwait(false).GetAwaiter().GetResult()", "Task.GetResult", Sins.TaskGetResultConfigured),
        new("valueTask.AsTask().Wait()", "ValueTask", Sins.ValueTaskAsTaskWait),
        new("valueTask.Result", "ValueTask", Sins.ValueTaskResult),
        new("Task.WaitAll", "Task.WaitAll/Any", Sins.TaskWaitAll),
        new("Task.WaitAny", "Task.WaitAll/Any", Sins.TaskWaitAny),
        new("Task.Run(f).Wait()", "Task.Wait", Sins.TaskRunWait),
        new("values.ToBlockingEnumerable()", "Task.Wait", Sins.ToBlockingEnumerable),
        new("resource.DisposeAsync().AsTask().Wait()", "ValueTask", Sins.DisposeAsync),
        new("semaphoreSlim.Wait()", "SemaphoreSlim", Sins.SemaphoreSlim),
        new("manualResetEventSlim.Wait()", "WaitHandle", Sins.ManualResetEventSlim),
        new("manualResetEvent.WaitOne()", "WaitHandle", Sins.ManualResetEvent),
        new("autoResetEvent.WaitOne(timeout)", "WaitHandle", Sins.AutoResetEvent),
        new("WaitHandle.WaitAny", "WaitHandle", Sins.WaitHandleAny),
        new("WaitHandle.WaitAll", "WaitHandle", Sins.WaitHandleAll),
        new("lock (gate), contended", "Lock", Sins.LockStatement),
        new("Monitor.TryEnter(gate, timeout)", "Lock", Sins.MonitorTryEnter),
        new("lock (System.Threading.Lock), contended", "Lock", Sins.ThreadingLock),
        new("Monitor.Wait", "Monitor.Wait", Sins.MonitorWait),
        new("mutex.WaitOne()", "WaitHandle", Sins.Mutex),
        new("semaphore.WaitOne()", "WaitHandle", Sins.Semaphore),
        new("readerWriterLockSlim.EnterReadLock()", "Lock", Sins.ReaderWriterLockSlim),
        new("countdownEvent.Wait()", "WaitHandle", Sins.CountdownEvent),
        new("barrier.SignalAndWait()", "WaitHandle", Sins.Barrier),
        new("blockingCollection.Take()", "WaitHandle", Sins.BlockingCollection),
        new("thread.Join()", "Join", Sins.ThreadJoin),
        new("process.WaitForExit()", "Process", Sins.ProcessWaitForExit),
        new("httpClient.Send", "SyncHttp", Sins.HttpClientSend),
        new("httpClient.GetStringAsync().Result", "Task.Result", Sins.HttpClientGetResult),
        new("lazy.Value, contended", "Lock", Sins.LazyValue),
        new("Parallel.For, its last worker", "Task.Wait", Sins.ParallelFor),
        new("Thread.Sleep", null, ClockSins.Sleep),
        new("a static constructor, contended", null, ClockSins.StaticConstructor),
        new("a P/Invoke that waits", null, ClockSins.NativeWait),
        new("a synchronous read of a slow file", null, ClockSins.SlowFile),
    ];
}
