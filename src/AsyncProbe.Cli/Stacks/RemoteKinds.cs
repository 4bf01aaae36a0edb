using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Cli.Stacks;

/// <summary>
/// Determines a wait's kind only from names. Inside a process, AsyncProbe checks which types a type derives from. From outside, it relies
/// on customary names instead.
/// </summary>
internal static class RemoteKinds
{
    public static WaitKind Find(string type, string method) => KindNames.Find(type, method)
        ?? (IsData(type, method) ? WaitKind.SyncDb
            : type.EndsWith("Stream", StringComparison.Ordinal) && KindNames.IsSynchronousIO(KindNames.Outermost(method)) ? WaitKind.SyncIO
            : WaitKind.Other);

    /// <summary>The method names in source code that wait in this way.</summary>
    public static IReadOnlyList<string> Calls(WaitKind kind) => kind switch
    {
        WaitKind.TaskWait => ["Wait", "For", "ForEach", "Invoke"],
        WaitKind.TaskResult => ["get_Result"],
        WaitKind.TaskGetResult => ["GetResult"],
        WaitKind.ValueTask => ["get_Result", "GetResult"],
        WaitKind.TaskWaitAll => ["WaitAll", "WaitAny"],
        WaitKind.SemaphoreSlim => ["Wait"],
        WaitKind.WaitHandle => ["Wait", "WaitOne", "WaitAll", "WaitAny", "SignalAndWait", "Take", "TryTake", "Add"],
        WaitKind.Lock => ["Enter", "TryEnter", "EnterScope", "EnterReadLock", "EnterWriteLock", "EnterUpgradeableReadLock"],
        WaitKind.MonitorWait => ["Wait"],
        WaitKind.Join => ["Join"],
        WaitKind.Sleep => ["Sleep"],
        WaitKind.Process => ["WaitForExit"],
        _ => [],
    };

    private static bool IsData(string type, string method) =>
        (type.EndsWith("Command", StringComparison.Ordinal) && method.StartsWith("Execute", StringComparison.Ordinal))
        || (type.EndsWith("Connection", StringComparison.Ordinal) && method is "Open" or "BeginTransaction")
        || (type.EndsWith("DataReader", StringComparison.Ordinal) && method is "Read" or "NextResult")
        || (type.EndsWith("Transaction", StringComparison.Ordinal) && method is "Commit" or "Rollback");
}
