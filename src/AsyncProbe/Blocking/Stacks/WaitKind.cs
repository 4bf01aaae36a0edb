namespace AsyncProbe.Blocking.Stacks;

/// <summary>How a thread was blocked.</summary>
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

/// <summary>The kinds as the report, the logs and docs/blocking.md name them.</summary>
internal static class WaitKinds
{
    // A report asks for it once for each of its rows.
    private static readonly string?[] s_help =
        [.. Enum.GetValues<WaitKind>().Select(kind => kind == WaitKind.Other ? null : kind.Name().ToLowerInvariant().Replace('.', '-').Replace('/', '-'))];

    /// <summary>The section of docs/blocking.md about what blocks without a managed wait.</summary>
    public const string UnnamedHelp = "what-has-no-name-here";

    /// <summary>The section about database providers that wait inside their asynchronous methods.</summary>
    public const string ProviderHelp = "providers-that-are-synchronous-inside";

    public static string Name(this WaitKind kind) => kind switch
    {
        WaitKind.TaskWait => "Task.Wait",
        WaitKind.TaskResult => "Task.Result",
        WaitKind.TaskGetResult => "Task.GetResult",
        WaitKind.TaskWaitAll => "Task.WaitAll/Any",
        WaitKind.MonitorWait => "Monitor.Wait",
        WaitKind.Native => "native",
        WaitKind.Other => "(other)",
        _ => kind.ToString(),
    };

    /// <summary>The section of docs/blocking.md about the kind; null where there is none.</summary>
    public static string? Help(this WaitKind kind) => s_help[(int)kind];

    /// <summary>What to write instead, as the end of a sentence.</summary>
    public static string Remedy(this WaitKind kind) => kind switch
    {
        WaitKind.TaskWait or WaitKind.TaskResult or WaitKind.TaskGetResult or WaitKind.ValueTask => "await it instead",
        WaitKind.TaskWaitAll => "await Task.WhenAll or Task.WhenAny instead",
        WaitKind.SemaphoreSlim => "await WaitAsync instead",
        WaitKind.Lock => "hold the lock for less time, or share less; async does not help here",
        WaitKind.Process => "await WaitForExitAsync instead",
        WaitKind.SyncHttp => "await SendAsync or GetAsync instead",
        WaitKind.SyncDb => "await the Async form of the command instead",
        WaitKind.EfCore => "await the Async form of the query instead (ToListAsync, SaveChangesAsync)",
        WaitKind.Sleep => "await Task.Delay instead",
        WaitKind.Native => "call what does not wait, or wait on a thread of your own",
        WaitKind.SyncIO => "await ReadAsync or WriteAsync instead",
        _ => "await a TaskCompletionSource, a Channel or SemaphoreSlim.WaitAsync instead",
    };
}
