using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Blocking.Code;

/// <summary>
/// Reads the instructions around a call. A <c>ValueTask</c> turned into a task leaves no trace on the stack of the wait. In optimised code,
/// neither does <c>Result</c> or <c>Stream.Read</c>. Only the caller's own code shows them, hot or not.
/// </summary>
internal static class CallSiteIl
{
    public const int CallLength = 5;

    // For methods without symbols. The reported place is the call or, in optimised code, the start of its statement.
    private const int LooksAhead = 32;

    private static readonly string[] s_neverWait =
    [
        ".ctor", "AddCount", "Exit", "Pulse", "Release", "Reset", "Set", "TrySet", "Create", "GetAwaiter", "ConfigureAwait", "get_I", "get_C",
        "set_",
    ];

    /// <summary>The instructions of the statement that a place belongs to.</summary>
    public static (int From, int To) Statement(MethodBase method, int ilOffset) =>
        SourceLines.Statement(method, ilOffset) ?? (ilOffset - CallLength, ilOffset + LooksAhead);

    /// <summary>Refines a wait's kind from the statement's calls. In optimised code the stack shows less than in other code.</summary>
    /// <param name="kind">The kind that the stack shows.</param>
    /// <param name="method">The method that contains the statement.</param>
    /// <param name="from">The statement's first instruction.</param>
    /// <param name="to">Its last instruction.</param>
    /// <param name="isGuess">Whether the kind is a guess because the stack shows nothing between the method and the wait.</param>
    public static WaitKind Refine(WaitKind kind, MethodBase method, int from, int to, bool isGuess = false)
    {
        if (WaitKinds.IsWide(kind) || kind is WaitKind.Lock or WaitKind.Sleep)
        {
            return kind;
        }

        try
        {
            var kinds = CallsButAwaits(method, from, to).Where(c => MayWait(c.Target)).Select(c => KindOf(c.Target))
                .Where(k => k != WaitKind.Other).ToList();
            if (isGuess)
            {
                // This is a native function, unless the statement's only wait was inlined or the runtime has no name for its code.
                return kinds.Distinct().ToList() is [var vanished] ? vanished : kind;
            }

            if (IsOfTask(kind))
            {
                return kinds.Contains(WaitKind.ValueTask)
                    ? WaitKind.ValueTask
                    : kinds.Find(k => IsOfTask(k) || WaitKinds.IsWide(k)) is var k and not WaitKind.Other ? k : kind;
            }

            return kinds.Contains(kind) ? kind
                : kinds.Find(WaitKinds.IsWide) is var wide and not WaitKind.Other ? wide
                // An event that waits on a monitor internally is still an event when it was inlined.
                : kind == WaitKind.MonitorWait && kinds.Distinct().ToList() is [var only] ? only
                : kind;
        }
        catch (Exception)
        {
            // The code refers to something that is missing. Keep the kind that the stack shows.
            return kind;
        }
    }

    /// <summary>The calls that a part of a method makes.</summary>
    public static IEnumerable<(int Offset, MethodBase Target)> Calls(MethodBase method, int from, int to) =>
        MethodCode.Get(method).Calls.Where(c => !c.IsNew && c.Offset >= from && c.Offset <= to).Select(c => (c.Offset, c.Target));

    /// <summary>
    /// All calls of a method, without those of its awaits. Each await asks an awaiter whether it is complete, and gets its result.
    /// </summary>
    public static IEnumerable<(int Offset, MethodBase Target)> CallsButAwaits(MethodBase method) => CallsButAwaits(method, 0, int.MaxValue);

    /// <summary>The same for a part of the method.</summary>
    public static IEnumerable<(int Offset, MethodBase Target)> CallsButAwaits(MethodBase method, int from, int to)
    {
        var calls = Calls(method, 0, int.MaxValue).ToList();
        var awaited = calls.GroupBy(c => c.Target.DeclaringType)
            .Where(g => g.Count(c => c.Target.Name == "get_IsCompleted") is > 0 and var awaits && g.Count(IsResult) == awaits)
            .Select(g => g.Key).ToHashSet();
        return calls.Where(c => c.Offset >= from && c.Offset <= to && (!IsResult(c) || !awaited.Contains(c.Target.DeclaringType)));

        static bool IsResult((int, MethodBase Target) call) => call.Target.Name == "GetResult";
    }

    public static bool IsSame(MethodBase target, FrameInfo call) =>
        call.Method is { } method && target.Module == method.Module && target.MetadataToken == method.MetadataToken;

    /// <summary>
    /// Whether a call names the method on the stack or an overload, in its type or a base class. When a small method is inlined, the method
    /// that it calls stays on the stack. A virtual call names the base method that the one on the stack overrides.
    /// </summary>
    public static bool IsNamed(MethodBase target, FrameInfo call) => IsOfName(target, call) || InlinedCalls.Lead(target, call);

    /// <summary>The same, without looking through a library's small methods.</summary>
    public static bool IsOfName(MethodBase target, FrameInfo call) =>
        IsSame(target, call)
        || (target.Name == call.SourceName && target.DeclaringType is { } type && call.SourceType is { } shown
            && ((type.Module == shown.Module && type.MetadataToken == shown.MetadataToken)
                || (target is MethodInfo { IsStatic: false } && shown.IsSubclassOf(type))));

    /// <summary>
    /// Whether a call waits in the same way as the frame on the stack, or leads into the same library. When the waiting method is inlined,
    /// only the frames beneath it are left.
    /// </summary>
    public static bool IsAlike(MethodBase target, FrameInfo call)
    {
        if (call.Kind == WaitKind.Other)
        {
            // Calling a helper of an MVC base class isn't the same as what MVC does before and after the action.
            return call is { Owner: FrameOwner.Library, IsOfMvc: false, Method: { } method } && target.Module == method.Module;
        }

        if (EfCoreCalls.RunsAnotherCommand(target, call))
        {
            return false;
        }

        return (call.Kind == WaitKind.EfCore && (IsQuery(target) || EfCoreCalls.RunsAsynchronously(target, call)))
            || (MayWait(target) && KindOf(target) is var kind && (kind == call.Kind || (IsOfTask(kind) && IsOfTask(call.Kind))
                // Process.WaitForExit waits on a handle inside.
                || (kind == WaitKind.Process && call.Kind == WaitKind.WaitHandle)
                || (call.Kind == WaitKind.MonitorWait && WaitsOnMonitor(target))));
    }

    /// <summary>
    /// Whether a call names a method that waits. When it was inlined, the stack shows what it waits with internally, such as an event's
    /// monitor.
    /// </summary>
    public static bool Waits(MethodBase target) => MayWait(target) && KindOf(target) != WaitKind.Other;

    /// <summary>Whether a call names a method that waits in that way.</summary>
    public static bool WaitsAs(MethodBase target, WaitKind kind) => MayWait(target) && KindOf(target) == kind;

    /// <summary>
    /// Whether a call names a method that waits on a monitor internally, such as an event's. When it was inlined, only the monitor's wait
    /// is on the stack.
    /// </summary>
    private static bool WaitsOnMonitor(MethodBase target) =>
        MayWait(target) && KindOf(target) is WaitKind.WaitHandle or WaitKind.SemaphoreSlim or WaitKind.MonitorWait;

    /// <summary>Whether a call names the method on the stack, or waits in the same way.</summary>
    public static bool Makes(MethodBase target, FrameInfo call) =>
        IsSame(target, call) || InlinedCalls.Lead(target, call) || (call.Kind != WaitKind.Other && IsAlike(target, call));

    // LINQ runs a query when the method returns something other than a query: a list, a number or an item.
    private static bool IsQuery(MethodBase target) =>
        target is MethodInfo { DeclaringType: { Namespace: "System.Linq", Name: "Enumerable" or "Queryable" }, ReturnType: var type }
            && !type.IsInterface && !type.IsAssignableTo(typeof(IQueryable));

    private static WaitKind KindOf(MethodBase target) => target.DeclaringType switch
    {
        null => WaitKind.Other,
        // Treated as a ValueTask, whatever it is turned into.
        { Name: "ValueTask" or "ValueTask`1" or "ValueTaskAwaiter" or "ValueTaskAwaiter`1" } => WaitKind.ValueTask,
        var type => KindRules.Find(type, target.Name),
    };

    private static bool IsOfTask(WaitKind kind) =>
        kind is WaitKind.TaskWait or WaitKind.TaskResult or WaitKind.TaskGetResult or WaitKind.ValueTask;

    // A task's Result is the only property that waits. The Database property of a DbContext, for example, runs no command.
    private static bool MayWait(MethodBase target) =>
        (!target.IsSpecialName || target.Name is "get_Result" || !target.Name.StartsWith("get_", StringComparison.Ordinal))
            && !target.Name.EndsWith("Async", StringComparison.Ordinal) && !EfCoreCalls.OnlyPrepares(target)
            && !Array.Exists(s_neverWait, name => target.Name.StartsWith(name, StringComparison.Ordinal));
}
