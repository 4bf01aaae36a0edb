namespace AsyncProbe.Blocking.Kinds;

/// <summary>How a thread was blocked. <see cref="WaitKinds"/> describes each kind.</summary>
internal enum WaitKind
{
    /// <summary>The kind of the row that collects waits without a row of their own.</summary>
    Other,
    TaskWait,
    TaskResult,
    TaskGetResult,
    ValueTask,
    TaskWaitAll,
    SemaphoreSlim,
    WaitHandle,
    Lock,
    MonitorWait,
    Join,
    Sleep,
    Native,
    Process,
    SyncIO,
    SyncHttp,
    SyncDb,
    EfCore,
}
