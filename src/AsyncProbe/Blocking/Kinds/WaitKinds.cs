namespace AsyncProbe.Blocking.Kinds;

/// <summary>
/// The table of wait kinds. A new kind needs a row here, a rule in <c>KindNames</c> and a section in docs/blocking.md.
/// </summary>
internal static class WaitKinds
{
    private const string AwaitIt = "await it instead";
    private const string Signals = "a TaskCompletionSource, a Channel or SemaphoreSlim.WaitAsync";
    private const string AwaitASignal = $"await {Signals} instead";

    // NeedsPool: a wait for the operating system ends without a pool thread. The holder of a lock may or may not need one.
    private static readonly Row[] s_rows = CreateTable(
        new(WaitKind.Other, "(other)", AwaitASignal, NeedsPool: null, Precedence: 0, Signals),
        new(WaitKind.TaskWait, "Task.Wait", AwaitIt, NeedsPool: true, Precedence: 0),
        new(WaitKind.TaskResult, "Task.Result", AwaitIt, NeedsPool: true, Precedence: 0),
        new(WaitKind.TaskGetResult, "Task.GetResult", AwaitIt, NeedsPool: true, Precedence: 0),
        new(WaitKind.ValueTask, "ValueTask", AwaitIt, NeedsPool: true, Precedence: 0),
        new(WaitKind.TaskWaitAll, "Task.WaitAll/Any", "await Task.WhenAll or Task.WhenAny instead", NeedsPool: true, Precedence: 0),
        new(WaitKind.SemaphoreSlim, "SemaphoreSlim", "await WaitAsync instead", NeedsPool: true, Precedence: 0),
        new(WaitKind.WaitHandle, "WaitHandle", AwaitASignal, NeedsPool: true, Precedence: 0, Signals),
        new(WaitKind.Lock, "Lock", "hold the lock for less time, or share less; async does not help here", NeedsPool: null, Precedence: 0),
        new(WaitKind.MonitorWait, "Monitor.Wait", AwaitASignal, NeedsPool: true, Precedence: 0, Signals),
        new(WaitKind.Join, "Join", AwaitASignal, NeedsPool: false, Precedence: 0, Signals),
        new(WaitKind.Sleep, "Sleep", "await Task.Delay instead", NeedsPool: false, Precedence: 0),
        new(WaitKind.Native, "native", "call what does not wait, or wait on a thread of your own", NeedsPool: false, Precedence: 0),
        new(WaitKind.Process, "Process", "await WaitForExitAsync instead", NeedsPool: false, Precedence: 1),
        new(WaitKind.SyncIO, "SyncIO", "await ReadAsync or WriteAsync instead", NeedsPool: false, Precedence: 2),
        new(WaitKind.SyncHttp, "SyncHttp", "await SendAsync or GetAsync instead", NeedsPool: true, Precedence: 3),
        new(WaitKind.SyncDb, "SyncDb", "await the Async form of the command instead", NeedsPool: false, Precedence: 4),
        new(
            WaitKind.EfCore, "EfCore", "await the Async form of the query instead (ToListAsync, SaveChangesAsync)", NeedsPool: null,
            Precedence: 5));

    /// <summary>The kind's name in the report, the logs and docs/blocking.md.</summary>
    public static string Name(this WaitKind kind) => s_rows[(int)kind].Name;

    /// <summary>What to write instead, as the end of a sentence.</summary>
    public static string Remedy(this WaitKind kind) => s_rows[(int)kind].Remedy;

    /// <summary>What to wait with instead, when the kind's own types have nothing to await; null for the other kinds.</summary>
    public static string? Replacement(this WaitKind kind) => s_rows[(int)kind].Replacement;

    /// <summary>The section of docs/blocking.md about the kind; null when there is none.</summary>
    public static string? Help(this WaitKind kind) => s_rows[(int)kind].Help;

    /// <summary>Whether a pool thread may be needed to end the wait; null when unknown.</summary>
    public static bool? NeedsPool(this WaitKind kind) => s_rows[(int)kind].NeedsPool;

    /// <summary>
    /// Whether any frame on the stack can decide the kind, however deep. The other kinds are decided by the frame nearest to the caller.
    /// </summary>
    public static bool IsWide(this WaitKind kind) => s_rows[(int)kind].Precedence > 0;

    /// <summary>
    /// Whether optimised code may inline a whole wait of this kind, so that the method which waits is the innermost one on the stack.
    /// Files, sockets and tasks wait in methods that are too large for that.
    /// </summary>
    public static bool MayVanish(this WaitKind kind) =>
        kind is WaitKind.Sleep or WaitKind.Join or WaitKind.WaitHandle or WaitKind.MonitorWait or WaitKind.Lock;

    /// <summary>Which of two kinds names the wait, when at least one of them is wide. A query that sends a command is a query.</summary>
    public static WaitKind WiderOf(WaitKind one, WaitKind other) =>
        s_rows[(int)one].Precedence >= s_rows[(int)other].Precedence ? one : other;

    private static Row[] CreateTable(params ReadOnlySpan<Row> rows)
    {
        var table = new Row[rows.Length];
        foreach (var row in rows)
        {
            table[(int)row.Kind] = row;
        }

        return table;
    }

    /// <param name="Name">Its name in the report, the logs and the docs.</param>
    /// <param name="Remedy">What to write instead.</param>
    /// <param name="NeedsPool">Whether a pool thread may be needed to end the wait; null when unknown.</param>
    /// <param name="Precedence">A kind above 0 is wide. The highest on the stack names the wait.</param>
    /// <param name="Replacement">What to wait with instead, when the kind's own types have nothing to await.</param>
    private sealed record Row(WaitKind Kind, string Name, string Remedy, bool? NeedsPool, int Precedence, string? Replacement = null)
    {
        // Cached, because a report reads it once for each of its rows.
        public string? Help { get; } = Kind == WaitKind.Other ? null : Name.ToLowerInvariant().Replace('.', '-').Replace('/', '-');
    }
}
