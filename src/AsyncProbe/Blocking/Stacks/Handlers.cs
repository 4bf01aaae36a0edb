using System.Reflection;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The handlers of a method: <c>finally</c>, <c>catch</c>, and what <c>using</c> and <c>foreach</c> dispose of. While a thread is in one, a
/// stack shows the method with another place. After a <c>try</c> block that did not throw, it is the method's very beginning; while an
/// exception is handled, it is the statement that threw.
/// </summary>
internal static class Handlers
{
    /// <summary>Whether a place is inside a <c>try</c> block, so that what it throws may be handled in the same method.</summary>
    public static bool IsGuarded(MethodBase method, int ilOffset) => Clauses(method).Any(c => Guards(c, ilOffset));

    /// <summary>The handlers that the thread may be in.</summary>
    /// <param name="method">The method that the stack shows.</param>
    /// <param name="ilOffset">Where in it.</param>
    /// <param name="isInCatch">Whether the thread handles an exception; null when nobody knows.</param>
    public static IEnumerable<ExceptionHandlingClause> Find(MethodBase method, int ilOffset, bool? isInCatch) => Clauses(method).Where(c =>
        (ilOffset == 0 && c.Flags is ExceptionHandlingClauseOptions.Finally) || (isInCatch != false && Guards(c, ilOffset)));

    /// <summary>
    /// The place that a place in a handler has its line from. What the compiler disposes of has no statement: its line is that of the
    /// statement in front of the <c>try</c> block, the <c>using</c> or <c>foreach</c>.
    /// </summary>
    public static int PlaceWithALine(MethodBase method, ExceptionHandlingClause clause, int ilOffset) =>
        SourceLines.HasOneBetween(method, clause.HandlerOffset, ilOffset) ? ilOffset : Math.Max(0, clause.TryOffset - 1);

    /// <summary>
    /// Whether a reported place is not that of a call. The beginning is one in optimised code, which reports it for the whole first
    /// statement.
    /// </summary>
    public static bool IsNoPlace(MethodBase method, int ilOffset, bool? isInCatch) =>
        isInCatch == true || (ilOffset == 0 && !CallPaths.MayVanishInto(method) && Find(method, ilOffset, isInCatch: false).Any());

    /// <summary>The same for a place that may be in no handler.</summary>
    public static int PlaceWithALine(MethodBase method, int ilOffset) =>
        Clauses(method).FirstOrDefault(c => c.Flags is ExceptionHandlingClauseOptions.Finally && ilOffset >= c.HandlerOffset
            && ilOffset < c.HandlerOffset + c.HandlerLength) is { } clause
            ? PlaceWithALine(method, clause, ilOffset)
            : ilOffset;

    private static bool Guards(ExceptionHandlingClause clause, int ilOffset) =>
        ilOffset >= clause.TryOffset && ilOffset < clause.TryOffset + clause.TryLength;

    private static IEnumerable<ExceptionHandlingClause> Clauses(MethodBase method)
    {
        var clauses = MethodCode.Get(method).Handlers;

        // The outermost of an asynchronous method is the compiler's, round all of it: no code of the application's is in its handler.
        return typeof(IAsyncStateMachine).IsAssignableFrom(method.DeclaringType) ? clauses.SkipLast(1) : clauses;
    }
}
