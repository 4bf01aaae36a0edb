using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <param name="Code">The blocking code, as a developer writes it.</param>
/// <param name="Kind">The kind that the report must name; null for waits that only the clock sees.</param>
/// <param name="Sin">Runs the blocking code.</param>
/// <param name="Blamed">The method that must be blamed.</param>
internal sealed record CatalogueRow(string Code, string? Kind, Action<HttpContext> Sin, MethodInfo Blamed)
{
    /// <summary>The row for a type that .NET 8 doesn't have.</summary>
    public const string ThreadingLock = "lock (System.Threading.Lock), contended";

    /// <summary>The row whose wait for a socket isn't managed on Windows, where only the thread's clock sees it.</summary>
    public const string HttpClientSend = "httpClient.Send";

    private CatalogueRow(string code, string? kind, Action sin)
        : this(code, kind, _ => sin(), sin.Method)
    {
    }

    private CatalogueRow(string code, string? kind, Action<HttpContext> sin)
        : this(code, kind, sin, sin.Method)
    {
    }

    public string Method => Blamed.Name;

    /// <summary>The place as the report must name it.</summary>
    public string At => $"{Blamed.DeclaringType!.Name}.{Method}";

    /// <summary>Whether it needs a client that sends the request's body slowly.</summary>
    public bool NeedsSlowBody { get; private init; }

    /// <summary>
    /// The kind of a managed wait that may occur now and again where the row usually has none: the client's for a connection, on Windows.
    /// </summary>
    public string? MayBeNamed => Code == HttpClientSend && Kind is null ? "SyncHttp" : null;

    /// <summary>What the tests must find out about it, in each position.</summary>
    public string Found => Kind is null ? "counted" : "named";

    /// <summary>What the report must advise to await; null if nothing can be awaited.</summary>
    public string? Awaitable => Method switch
    {
        nameof(TaskSins.TaskWaitAll) => "Task.WhenAll",
        nameof(TaskSins.TaskWaitAny) => "Task.WhenAny",
        nameof(TaskSins.ParallelFor) => null,
        _ => Kind switch
        {
            "Task.Wait" or "Task.Result" or "Task.GetResult" or "ValueTask" => "await",
            "SemaphoreSlim" => "WaitAsync",
            "Process" => "WaitForExitAsync",
            "SyncHttp" => "SendAsync",
            "SyncIO" => "ReadAsync",
            _ => null,
        },
    };

    /// <summary>What the report must say to write instead, where awaiting the same call would not do.</summary>
    public string? Instead => Method == nameof(TaskSins.ParallelFor) ? "Parallel.ForEachAsync" : null;

    public static IReadOnlyList<CatalogueRow> All { get; } =
    [
        new("task.Wait()", "Task.Wait", TaskSins.TaskWait),
        new("task.Wait(timeout)", "Task.Wait", TaskSins.TaskWaitTimeout),
        new("task.Wait(token)", "Task.Wait", TaskSins.TaskWaitToken),
        new("task.Result", "Task.Result", TaskSins.TaskResult),
        new("task.GetAwaiter().GetResult()", "Task.GetResult", TaskSins.TaskGetResult),
        new("taskOfT.GetAwaiter().GetResult()", "Task.GetResult", TaskSins.TaskOfTGetResult),
        new("task.ConfigureAwait(false).GetAwaiter().GetResult()", "Task.GetResult", TaskSins.TaskGetResultConfigured),
        new("valueTask.AsTask().Wait()", "ValueTask", TaskSins.ValueTaskAsTaskWait),
        new("valueTask.Result", "ValueTask", TaskSins.ValueTaskResult),
        new("Task.WaitAll", "Task.WaitAll/Any", TaskSins.TaskWaitAll),
        new("Task.WaitAny", "Task.WaitAll/Any", TaskSins.TaskWaitAny),
        new("Task.Run(f).Wait()", "Task.Wait", TaskSins.TaskRunWait),
        new("values.ToBlockingEnumerable()", "Task.Wait", TaskSins.ToBlockingEnumerable),
        new("resource.DisposeAsync().AsTask().Wait()", "ValueTask", TaskSins.DisposeAsync),
        new("semaphoreSlim.Wait()", "SemaphoreSlim", SignalSins.SemaphoreSlim),
        new("manualResetEventSlim.Wait()", "WaitHandle", SignalSins.ManualResetEventSlim),
        new("manualResetEvent.WaitOne()", "WaitHandle", SignalSins.ManualResetEvent),
        new("autoResetEvent.WaitOne(timeout)", "WaitHandle", SignalSins.AutoResetEvent),
        new("WaitHandle.WaitAny", "WaitHandle", SignalSins.WaitHandleAny),
        new("WaitHandle.WaitAll", "WaitHandle", SignalSins.WaitHandleAll),
        new("lock (gate), contended", "Lock", LockSins.LockStatement),
        new("Monitor.TryEnter(gate, timeout)", "Lock", LockSins.MonitorTryEnter),
#if NET9_0_OR_GREATER
        new(ThreadingLock, "Lock", LockSins.ThreadingLock),
#endif
        new("Monitor.Wait", "Monitor.Wait", LockSins.MonitorWait),
        new("mutex.WaitOne()", "WaitHandle", LockSins.Mutex),
        new("semaphore.WaitOne()", "WaitHandle", SignalSins.Semaphore),
        new("readerWriterLockSlim.EnterReadLock()", "Lock", LockSins.ReaderWriterLockSlim),
        new("countdownEvent.Wait()", "WaitHandle", SignalSins.CountdownEvent),
        new("barrier.SignalAndWait()", "WaitHandle", SignalSins.Barrier),
        new("blockingCollection.Take()", "WaitHandle", SignalSins.BlockingCollection),
        new("thread.Join()", "Join", OutsideSins.ThreadJoin),
        new("process.WaitForExit()", "Process", OutsideSins.ProcessWaitForExit),
        new(HttpClientSend, OperatingSystem.IsWindows() ? null : "SyncHttp", OutsideSins.HttpClientSend),
        new("httpClient.GetStringAsync().Result", "Task.Result", OutsideSins.HttpClientGetResult),
        new("Request.Body.Read, AllowSynchronousIO", "SyncIO", OutsideSins.RequestBody) { NeedsSlowBody = true },
        new("lazy.Value, contended", "Lock", LockSins.LazyValue),
        new("Parallel.For, its last worker", "Task.Wait", TaskSins.ParallelFor),
        new("Thread.Sleep", null, ClockSins.Sleep),
        new("a static constructor, contended", null, ClockSins.StaticConstructor),
        new("a P/Invoke that waits", null, ClockSins.NativeWait),
        new("a synchronous read of a slow file", null, ClockSins.SlowFile),
    ];
}
