using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Looks at the instructions round a call. A <c>ValueTask</c> turned into a task leaves no trace on the stack of the wait, and neither does
/// <c>Result</c> or <c>Stream.Read</c> in optimised code: only the caller's own code shows them, hot or not.
/// </summary>
internal static class CallSiteIl
{
    public const int CallLength = 5;

    // Without symbols: the reported place is the call or, in optimised code, the beginning of its statement.
    private const int LooksAhead = 32;

    private static readonly string[] s_neverWait =
    [
        ".ctor", "AddCount", "Exit", "Pulse", "Release", "Reset", "Set", "TrySet", "Create", "get_I", "get_C", "set_",
    ];

    /// <summary>The instructions of the statement that a place belongs to.</summary>
    public static (int From, int To) Statement(MethodBase method, int ilOffset) =>
        SourceLines.Statement(method, ilOffset) ?? (ilOffset - CallLength, ilOffset + LooksAhead);

    /// <summary>What the calls of a statement say of a wait's kind, where the stack says less in optimised code than in other.</summary>
    /// <param name="kind">What the stack says.</param>
    /// <param name="method">Where.</param>
    /// <param name="from">The statement's first instruction.</param>
    /// <param name="to">Its last.</param>
    /// <param name="isGuess">Whether the stack says so only because nothing is on it between the method and the wait.</param>
    public static WaitKind Refine(WaitKind kind, MethodBase method, int from, int to, bool isGuess = false)
    {
        if (WaitKinds.IsWide(kind) || (kind == WaitKind.Lock && !isGuess) || kind == WaitKind.Sleep)
        {
            return kind;
        }

        try
        {
            var kinds = CallsButAwaits(method, from, to).Where(c => MayWait(c.Target)).Select(c => KindOf(c.Target))
                .Where(k => k != WaitKind.Other).ToList();
            if (isGuess)
            {
                // A static constructor or a native function, unless the statement's only wait has vanished into it, or the runtime knows
                // no name for its code.
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
                // An event that waits on a monitor inside is still an event when it has vanished.
                : kind == WaitKind.MonitorWait && kinds.Distinct().ToList() is [var only] ? only
                : kind;
        }
        catch (Exception)
        {
            // Whatever the code refers to and is not there: the kind stays what the stack says.
            return kind;
        }
    }

    /// <summary>The calls that a part of a method makes.</summary>
    public static IEnumerable<(int Offset, MethodBase Target)> Calls(MethodBase method, int from, int to) =>
        MethodCode.Get(method).Calls.Where(c => !c.IsNew && c.Offset >= from && c.Offset <= to).Select(c => (c.Offset, c.Target));

    /// <summary>All calls of a method but those of its awaits: each asks an awaiter whether it is complete, and gets its result.</summary>
    public static IEnumerable<(int Offset, MethodBase Target)> CallsButAwaits(MethodBase method) => CallsButAwaits(method, 0, int.MaxValue);

    /// <summary>Those of a part.</summary>
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
    /// Whether a call is of the method on the stack or of an overload: a small method vanishes into its caller, and leaves
    /// the one that it calls. A virtual call names the method that the one on the stack overrides.
    /// </summary>
    public static bool IsNamed(MethodBase target, FrameInfo call) => IsOfName(target, call) || InlinedCalls.Lead(target, call);

    /// <summary>The same without what a library's small method calls.</summary>
    public static bool IsOfName(MethodBase target, FrameInfo call) =>
        IsSame(target, call)
        || (target.Name == call.MethodName && target.DeclaringType is { } type && call.Method?.DeclaringType is { } shown
            && ((type.Module == shown.Module && type.MetadataToken == shown.MetadataToken)
                || (target is { IsVirtual: true, IsFinal: false } && call.Method is { IsVirtual: true } && shown.IsSubclassOf(type))));

    /// <summary>
    /// Whether a call waits as one on the stack does, of which only what is beneath may be left; or leads into the same library.
    /// </summary>
    public static bool IsAlike(MethodBase target, FrameInfo call)
    {
        if (call.Kind == WaitKind.Other)
        {
            // An action that calls a helper of its base class has not called what MVC does before and after it.
            return call is { Owner: FrameOwner.Library, IsOfMvc: false, Method: { } method } && target.Module == method.Module;
        }

        return (call.Kind == WaitKind.EfCore && IsQuery(target))
            || (MayWait(target) && KindOf(target) is var kind && (kind == call.Kind || (IsOfTask(kind) && IsOfTask(call.Kind))));
    }

    /// <summary>
    /// Whether a call is of a method that waits. If it vanished, the stack shows what it waits with inside: an event's monitor, for
    /// example.
    /// </summary>
    public static bool Waits(MethodBase target) => MayWait(target) && KindOf(target) != WaitKind.Other;

    /// <summary>Whether a call is of the method on the stack, or waits as that does.</summary>
    public static bool Makes(MethodBase target, FrameInfo call) =>
        IsSame(target, call) || InlinedCalls.Lead(target, call) || (call.Kind != WaitKind.Other && IsAlike(target, call));

    // LINQ runs a query where it returns something else than a query: a list, a number, an item.
    private static bool IsQuery(MethodBase target) =>
        target is MethodInfo { DeclaringType: { Namespace: "System.Linq", Name: "Enumerable" or "Queryable" }, ReturnType: var type }
            && !type.IsInterface && !type.IsAssignableTo(typeof(IQueryable));

    private static WaitKind KindOf(MethodBase target) => target.DeclaringType switch
    {
        null => WaitKind.Other,
        // As a task, whatever it is turned into.
        { Name: "ValueTask" or "ValueTask`1" or "ValueTaskAwaiter" or "ValueTaskAwaiter`1" } => WaitKind.ValueTask,
        var type => KindRules.Find(type, target.Name),
    };

    private static bool IsOfTask(WaitKind kind) =>
        kind is WaitKind.TaskWait or WaitKind.TaskResult or WaitKind.TaskGetResult or WaitKind.ValueTask;

    // A property is no wait, but a task's result: the Database of a DbContext runs no command.
    private static bool MayWait(MethodBase target) =>
        (!target.IsSpecialName || target.Name is "get_Result" || !target.Name.StartsWith("get_", StringComparison.Ordinal))
            && !target.Name.EndsWith("Async", StringComparison.Ordinal)
            && !Array.Exists(s_neverWait, name => target.Name.StartsWith(name, StringComparison.Ordinal));
}
