using AsyncProbe.Sample.Database;

namespace AsyncProbe.Sample.Sins;

/// <summary>One route for each row of the catalogue, and the list of them at <c>/sins</c>.</summary>
internal static class SinEndpoints
{
    public static IReadOnlyList<Sin> MapSins(this WebApplication app)
    {
        var sins = new SinGroup(app);
        // The constructor starts and joins a thread, which would be a wait of its own in a request.
        System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor(typeof(ThreadSins).TypeHandle);
        MapTasks(sins);
        MapSignals(sins);
        MapLocks(sins);
        MapOutside(sins);
        MapDatabase(sins, app.Services.GetRequiredService<SampleDatabase>().Postgres is null ? SinNeeds.Postgres : null);
        MapPlaces(sins, app);
        MapInnocents(sins);
        app.MapGet("/sins", () => sins.All)
            .WithTags("Sins")
            .WithSummary("All sins: where, what, which kind to expect, and whether AsyncProbe should report it.");
        return sins.All;
    }

    private static void MapTasks(SinGroup sins)
    {
        sins.Blocks("task-wait", "Task.Wait", "Task.Delay(ms).Wait()", TaskSins.Wait);
        sins.Blocks("task-wait-timeout", "Task.Wait", "task.Wait(timeout), and the task never ends", TaskSins.WaitTimeout);
        sins.Blocks("task-wait-token", "Task.Wait", "task.Wait(token)", TaskSins.WaitToken);
        sins.Blocks("task-result", "Task.Result", "AnswerAsync(ms).Result", TaskSins.Result);
        sins.Blocks("task-get-result", "Task.GetResult", "GetAwaiter().GetResult()", TaskSins.GetResult);
        sins.Blocks(
            "task-get-result-configured", "Task.GetResult", "ConfigureAwait(false).GetAwaiter().GetResult()", TaskSins.GetResultConfigured);
        sins.Blocks("task-wait-all", "Task.WaitAll/Any", "Task.WaitAll", TaskSins.WaitAll);
        sins.Blocks("task-wait-any", "Task.WaitAll/Any", "Task.WaitAny", TaskSins.WaitAny);
        sins.Blocks("task-run-wait", "Task.Wait", "Task.Run(f).Wait(): two threads held", TaskSins.RunWait);
        sins.Blocks("blocking-enumerable", "Task.Wait", "foreach over ToBlockingEnumerable()", TaskSins.BlockingEnumerable);
        sins.Blocks("parallel-for", "Task.Wait", "Parallel.For whose caller waits for the last worker", TaskSins.ParallelFor);
        sins.Blocks("value-task-wait", "ValueTask", "valueTask.AsTask().Wait()", ValueTaskSins.Wait);
        sins.Blocks("value-task-result", "ValueTask", "valueTask.AsTask().Result", ValueTaskSins.Result);
        sins.Blocks("dispose-async-wait", "ValueTask", "DisposeAsync().AsTask().Wait()", ValueTaskSins.DisposeAsync);
    }

    private static void MapSignals(SinGroup sins)
    {
        sins.Blocks("semaphore-slim", "SemaphoreSlim", "SemaphoreSlim.Wait()", SemaphoreSins.Slim);
        sins.Blocks("semaphore", "WaitHandle", "Semaphore.WaitOne()", SemaphoreSins.Kernel);
        sins.Blocks("blocking-collection", "WaitHandle", "BlockingCollection.Take()", SemaphoreSins.Take);
        sins.Blocks("manual-reset-event-slim", "WaitHandle", "ManualResetEventSlim.Wait()", EventSins.ManualSlim);
        sins.Blocks("manual-reset-event", "WaitHandle", "ManualResetEvent.WaitOne()", EventSins.Manual);
        sins.Blocks("auto-reset-event", "WaitHandle", "AutoResetEvent.WaitOne()", EventSins.Auto);
        sins.Blocks("wait-handle-any", "WaitHandle", "WaitHandle.WaitAny", EventSins.Any);
        sins.Blocks("wait-handle-all", "WaitHandle", "WaitHandle.WaitAll", EventSins.All);
        sins.Blocks("countdown-event", "WaitHandle", "CountdownEvent.Wait()", EventSins.Countdown);
        sins.Blocks("barrier", "WaitHandle", "Barrier.SignalAndWait()", EventSins.Barrier);
    }

    private static void MapLocks(SinGroup sins)
    {
        sins.Blocks("lock", "Lock", "lock on an object that another thread holds", LockSins.Monitor);
        sins.Blocks("threading-lock", "Lock", "lock on a System.Threading.Lock that another thread holds", LockSins.ThreadingLock);
        sins.Blocks("monitor-wait", "Monitor.Wait", "Monitor.Wait(gate, ms)", LockSins.MonitorWait);
        sins.Blocks("mutex", "WaitHandle", "Mutex.WaitOne()", LockSins.Mutex);
        sins.Blocks("reader-writer-lock", "Lock", "EnterReadLock while another thread writes", LockSins.ReaderWriter);
        sins.Blocks("lazy", "Lock", "Lazy<T>.Value while another thread makes it", LockSins.Lazy);
        sins.BlocksUnseen("static-constructor", "Lock", "a type that another thread is still initialising", LockSins.StaticConstructor);
    }

    private static void MapOutside(SinGroup sins)
    {
        sins.Blocks("thread-join", "Join", "Thread.Join()", ThreadSins.Join);
        sins.Blocks("process-wait", "Process", "Process.WaitForExit()", ThreadSins.WaitForExit);
        sins.Blocks("http-send", "SyncHttp", "HttpClient.Send", HttpSins.Send);
        sins.Blocks("http-result", "Task.Result", "GetStringAsync().Result", HttpSins.Result);
        sins.Blocks("body-read", "SyncIO", "Request.Body.Read", IOSins.ReadBody, needs: SinNeeds.SlowBody);
        sins.BlocksUnseen("sleep", "Sleep", "Thread.Sleep(ms)", ThreadSins.Sleep);
        sins.BlocksUnseen("many-short-sleeps", "Sleep", "Thread.Sleep(1), ms times over", ThreadSins.ManyShort);
        sins.BlocksUnseen("pipe-read", "SyncIO", "a synchronous read from a slow pipe", IOSins.ReadPipe);
        sins.BlocksUnseen("native", "native", "a native call that waits (usleep)", IOSins.Native);
    }

    private static void MapDatabase(SinGroup sins, string? needs)
    {
        sins.Blocks("sql", "SyncDb", "a synchronous query through Dapper", DatabaseSins.Query, needs: needs);
        sins.Blocks("ef-to-list", "EfCore", "ToList()", DatabaseSins.ToList, seenBy: "ef", needs);
        sins.Blocks("ef-save-changes", "EfCore", "SaveChanges()", DatabaseSins.SaveChanges, seenBy: "ef", needs);
        MapSaveChangesAsync(sins, isSqlite: needs is not null);
        sins.Innocent("sql-async", "an awaited query through Dapper", DatabaseSins.QueryAsync, needs);
        sins.Innocent("ef-to-list-async", "await ToListAsync()", DatabaseSins.ToListAsync, needs);
        sins.Innocent("ef-find-tracked", "Find() of what the context has already", DatabaseSins.FindTracked, needs);
    }

    // The same line of code is a sin with a provider that is synchronous internally, and innocent with one that isn't.
    private static void MapSaveChangesAsync(SinGroup sins, bool isSqlite)
    {
        const string Name = "ef-save-changes-async";
        if (isSqlite)
        {
            sins.Blocks(
                Name, "EfCore", "await SaveChangesAsync() while another writer has SQLite's file", DatabaseSins.SaveChangesAsync,
                seenBy: "ef");
        }
        else
        {
            sins.Innocent(Name, "await SaveChangesAsync() while another writer has PostgreSQL's row", DatabaseSins.SaveChangesAsync);
        }
    }

    private static void MapPlaces(SinGroup sins, WebApplication app)
    {
        sins.Blocks("in-task-run", "Task.Wait", "Task.Delay(ms).Wait() inside an awaited Task.Run", BackgroundSins.InTaskRun);
        sins.Blocks("after-response", "Task.Wait", "the same, after the answer has gone", BackgroundSins.AfterResponse, seenBy: "clock");
        sins.Blocks("endless", "Task.Wait", "a wait that never ends", BackgroundSins.Endless, seenBy: "watcher", needs: SinNeeds.Patience);
        sins.Allowed("allowed-scope", "Task.Delay(ms).Wait() inside BlockingScope.Allow", AllowedSins.InScope);
        sins.Allowed(
            "allowed-endpoint", "Task.Delay(ms).Wait() under [AllowBlocking]", AllowedSins.OnEndpoint,
            new AllowBlockingAttribute("shown on purpose"));
        PlaceSins.Map(sins, app);
    }

    private static void MapInnocents(SinGroup sins)
    {
        sins.Innocent("task-wait-completed", "Wait() on a completed task", TaskInnocents.WaitCompleted);
        sins.Innocent("task-wait-zero", "Wait(0)", TaskInnocents.WaitZero);
        sins.Innocent("task-result-after-await", "Result after an await", TaskInnocents.ResultAfterAwait);
        sins.Innocent("task-get-result-completed", "GetResult() of a completed task", TaskInnocents.GetResultCompleted);
        sins.Innocent("value-task-completed", "Result of a completed ValueTask", ValueTaskSins.ResultCompleted);
        sins.Innocent("when-all", "await Task.WhenAll", TaskInnocents.WhenAll);
        sins.Innocent("when-any", "await Task.WhenAny", TaskInnocents.WhenAny);
        sins.Innocent("task-run-awaited", "await Task.Run", TaskInnocents.RunAwaited);
        sins.Innocent("await-foreach", "await foreach", TaskInnocents.AwaitForeach);
        sins.Innocent("await-using", "await using", ValueTaskSins.AwaitUsing);
        sins.Innocent("parallel-for-async", "await Parallel.ForAsync", TaskInnocents.ParallelForEachAsync);
        sins.Innocent("semaphore-slim-async", "await SemaphoreSlim.WaitAsync()", SemaphoreSins.SlimAsync);
        sins.Innocent("semaphore-slim-free", "SemaphoreSlim.Wait() with a free place", SemaphoreSins.SlimFree);
        sins.Innocent("semaphore-slim-zero", "SemaphoreSlim.Wait(0)", SemaphoreSins.SlimZero);
        sins.Innocent("blocking-collection-filled", "Take() of an item that is there", SemaphoreSins.TakeFilled);
        sins.Innocent("event-already-set", "Wait() for a signal that is there", EventSins.AlreadySet);
        sins.Innocent("barrier-last", "the last participant of a Barrier", EventSins.LastParticipant);
        sins.Innocent("lock-free", "a lock that nobody holds", LockInnocents.Monitor);
        sins.Innocent("lock-brief", "a lock that is held for 0.2 ms", LockInnocents.Brief);
        sins.Innocent("threading-lock-free", "a System.Threading.Lock that nobody holds", LockInnocents.ThreadingLock);
        sins.Innocent("readers-only", "two readers of a ReaderWriterLockSlim", LockInnocents.Readers);
        sins.Innocent("mutex-free", "a Mutex that nobody holds", LockInnocents.Mutex);
        sins.Innocent("lazy-made", "a Lazy<T> that nobody else is making", LockInnocents.Lazy);
        sins.Innocent("thread-ended", "Join() of a thread that has ended", ThreadSins.JoinEnded);
        sins.Innocent("process-wait-async", "await WaitForExitAsync()", ThreadSins.WaitForExitAsync);
        sins.Innocent("http-awaited", "await HttpClient.GetStringAsync", HttpSins.Awaited);
        sins.Innocent("body-read-async", "await Request.Body.CopyToAsync", IOSins.ReadBodyAsync, needs: SinNeeds.SlowBody);
        sins.Innocent("delay", "await Task.Delay(ms)", ThreadSins.Delay);
        sins.Innocent("sleep-zero", "Thread.Sleep(0)", ThreadSins.SleepZero);
        sins.Innocent("native-short", "a native call that returns at once", IOSins.NativeShort);
        sins.Innocent("long-poll", "a long poll", StreamInnocents.LongPoll);
        sins.Innocent("events", "server-sent events", StreamInnocents.Events);
        sins.Innocent("websocket", "a WebSocket that echoes", StreamInnocents.Echo, needs: SinNeeds.WebSocket);
        sins.Innocent("download", "4 MB for a client that may be slow", IOSins.Download);
        sins.Innocent("compute", "a loop that works for ms", ThreadSins.Compute);
        sins.Innocent("collect", "a forced, blocking garbage collection", ThreadSins.Collect);
        sins.Innocent("own-thread", "a thread of its own that sleeps", BackgroundSins.OwnThread);
        sins.Innocent("long-running", "a LongRunning task that sleeps", BackgroundSins.LongRunning);
    }
}
