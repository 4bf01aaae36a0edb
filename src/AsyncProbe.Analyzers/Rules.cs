using AsyncProbe.Blocking.Kinds;
using Microsoft.CodeAnalysis;

namespace AsyncProbe.Analyzers;

/// <summary>
/// One rule for each kind of wait. The ids are the rule names in the command's SARIF files, because a compiler's id can't contain hyphens.
/// Ids are stable, because suppressions and severities refer to them.
/// </summary>
internal static class Rules
{
    public const string Category = "AsyncProbe";

    // The whole message is one placeholder, because its text is different for each line.
    private const string Sentence = "{0}";

    public static readonly DiagnosticDescriptor Report =
        new("AsyncProbeReport", "A report of AsyncProbe cannot be read", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_other =
        new("BlockingOther", "A pool thread is blocked: (other)", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_taskWait =
        new("BlockingTaskWait", "A pool thread is blocked: Task.Wait", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_taskResult =
        new("BlockingTaskResult", "A pool thread is blocked: Task.Result", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_taskGetResult =
        new("BlockingTaskGetResult", "A pool thread is blocked: Task.GetResult", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_valueTask =
        new("BlockingValueTask", "A pool thread is blocked: ValueTask", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_taskWaitAll =
        new("BlockingTaskWaitAll", "A pool thread is blocked: Task.WaitAll/Any", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_semaphoreSlim =
        new("BlockingSemaphoreSlim", "A pool thread is blocked: SemaphoreSlim", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_waitHandle =
        new("BlockingWaitHandle", "A pool thread is blocked: WaitHandle", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_lock =
        new("BlockingLock", "A pool thread is blocked: Lock", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_monitorWait =
        new("BlockingMonitorWait", "A pool thread is blocked: Monitor.Wait", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_join =
        new("BlockingJoin", "A pool thread is blocked: Join", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_sleep =
        new("BlockingSleep", "A pool thread is blocked: Sleep", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_native =
        new("BlockingNative", "A pool thread is blocked: native", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_process =
        new("BlockingProcess", "A pool thread is blocked: Process", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_syncIO =
        new("BlockingSyncIO", "A pool thread is blocked: SyncIO", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_syncHttp =
        new("BlockingSyncHttp", "A pool thread is blocked: SyncHttp", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_syncDb =
        new("BlockingSyncDb", "A pool thread is blocked: SyncDb", Sentence, Category, DiagnosticSeverity.Warning, true);

    private static readonly DiagnosticDescriptor s_efCore =
        new("BlockingEfCore", "A pool thread is blocked: EfCore", Sentence, Category, DiagnosticSeverity.Warning, true);

    // In the order of the WaitKind values.
    private static readonly DiagnosticDescriptor[] s_byKind =
    [
        s_other, s_taskWait, s_taskResult, s_taskGetResult, s_valueTask, s_taskWaitAll,
        s_semaphoreSlim, s_waitHandle, s_lock, s_monitorWait, s_join, s_sleep,
        s_native, s_process, s_syncIO, s_syncHttp, s_syncDb, s_efCore,
    ];

    private static readonly Dictionary<string, WaitKind> s_kinds =
        ((WaitKind[])Enum.GetValues(typeof(WaitKind))).ToDictionary(kind => kind.Name(), StringComparer.Ordinal);

    public static IReadOnlyList<DiagnosticDescriptor> Waits => s_byKind;

    public static DiagnosticDescriptor Get(WaitKind kind) => s_byKind[(int)kind];

    /// <summary>A kind that only a newer server knows counts as "other".</summary>
    public static WaitKind FindKind(string name) => s_kinds.TryGetValue(name, out var kind) ? kind : WaitKind.Other;
}
