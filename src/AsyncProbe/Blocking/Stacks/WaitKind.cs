namespace AsyncProbe.Blocking.Stacks;

/// <summary>How a thread was blocked. What is known of each kind stands in <see cref="WaitKinds"/>.</summary>
internal enum WaitKind
{
    /// <summary>The row of what found no row of its own.</summary>
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
