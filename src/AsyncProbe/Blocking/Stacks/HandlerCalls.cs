using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The handlers of a method that a thread may be in: <c>finally</c>, <c>catch</c>, and what <c>using</c> and <c>foreach</c> dispose of. A
/// stack shows the method itself in the place of its handler, and tells the place that the handler was entered from: the very beginning of
/// the method, which stands for none, where a <c>finally</c> block follows its <c>try</c> block in order; and the statement that threw,
/// while an exception is handled.
/// </summary>
internal static class HandlerCalls
{
    private const int LocalSlots = 4;

    /// <summary>Whether a place is inside a <c>try</c> block, so that what it throws may be handled in the same method.</summary>
    public static bool IsGuarded(MethodBase method, int ilOffset) => Clauses(method).Any(c => Guards(c, ilOffset));

    /// <summary>The handlers that the thread may be in.</summary>
    /// <param name="method">The method that the stack shows.</param>
    /// <param name="ilOffset">Where in it.</param>
    /// <param name="isInCatch">Whether the thread handles an exception; null when nobody knows.</param>
    public static IEnumerable<ExceptionHandlingClause> Find(MethodBase method, int ilOffset, bool? isInCatch) => Clauses(method).Where(c =>
        (ilOffset == 0 && c.Flags is ExceptionHandlingClauseOptions.Finally) || (isInCatch != false && Guards(c, ilOffset)));

    /// <summary>The line of a place in a handler: of the statement that begins the <c>try</c> block, where the handler has none.</summary>
    public static int PlaceWithALine(MethodBase method, ExceptionHandlingClause clause, int ilOffset) =>
        SourceLines.HasOneBetween(method, clause.HandlerOffset, ilOffset) ? ilOffset : Math.Max(0, clause.TryOffset - 1);

    /// <summary>Whether a call through an interface may run the method on the stack.</summary>
    /// <param name="caller">Whose code makes the call.</param>
    /// <param name="ilOffset">Where.</param>
    /// <param name="target">What it names.</param>
    /// <param name="call">The method on the stack.</param>
    public static bool MayRun(MethodBase caller, int ilOffset, MethodBase target, FrameInfo call) =>
        target.DeclaringType is { IsInterface: true } type && call.Method is { IsStatic: false, DeclaringType: { } shown } method
        && (method.Name == target.Name || method.Name.EndsWith("." + target.Name, StringComparison.Ordinal))
        && (type.IsGenericType || type.IsAssignableFrom(shown))
        && (ReceiverOf(caller, ilOffset) is not { IsInterface: false, IsGenericParameter: false } receiver
            || shown.IsGenericType || receiver.IsAssignableFrom(shown) || shown.IsAssignableFrom(receiver));

    /// <summary>Whether the code of an assembly runs as it is written: nothing vanishes into its caller.</summary>
    public static bool IsOptimized(MethodBase method) =>
        method.Module.Assembly.GetCustomAttribute<DebuggableAttribute>() is not { IsJITOptimizerDisabled: true };

    private static bool Guards(ExceptionHandlingClause clause, int ilOffset) =>
        ilOffset >= clause.TryOffset && ilOffset < clause.TryOffset + clause.TryLength;

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without the code the line stays the one that the runtime tells.")]
    private static IEnumerable<ExceptionHandlingClause> Clauses(MethodBase method)
    {
        try
        {
            var clauses = method.GetMethodBody()?.ExceptionHandlingClauses ?? [];

            // The outermost of an asynchronous method is the compiler's, round all of it: no code of the application's is in its handler.
            return typeof(IAsyncStateMachine).IsAssignableFrom(method.DeclaringType) ? clauses.SkipLast(1) : clauses;
        }
        catch (Exception)
        {
            // Code that is made at run time, or not there to be read: nothing is known of its handlers.
            return [];
        }
    }

    // What is loaded right before a call without arguments is what it is called on.
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without the code nothing is known of the receiver.")]
    private static Type? ReceiverOf(MethodBase caller, int at)
    {
        if (caller.GetMethodBody() is not { } body || body.GetILAsByteArray() is not { } code || at < CallSiteIl.CallLength)
        {
            return null;
        }

        if (code[at - CallSiteIl.CallLength] == OpCodes.Ldfld.Value)
        {
            return CallSiteIl.ResolveField(caller, BitConverter.ToInt32(code, at - CallSiteIl.CallLength + 1))?.FieldType;
        }

        var local = code[at - 2] == OpCodes.Ldloc_S.Value ? code[at - 1] : code[at - 1] - OpCodes.Ldloc_0.Value;
        return code[at - 2] == OpCodes.Ldloc_S.Value || local is >= 0 and < LocalSlots
            ? body.LocalVariables.FirstOrDefault(l => l.LocalIndex == local)?.LocalType
            : null;
    }
}
