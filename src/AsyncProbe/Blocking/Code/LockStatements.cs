using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Code;

/// <summary>Finds out from a method's instructions which locks it takes, and which of its code runs while it holds one.</summary>
internal static class LockStatements
{
    private const int Deepest = 2;

    /// <summary>
    /// Whether a method of the application or of a package takes no lock, so that optimised code must have inlined one that does: a sink
    /// into the logger's list of sinks, for example. Methods that it calls by name count as its own code. Those behind an interface or a
    /// delegate don't. It is slow: never call it on the thread that waited.
    /// </summary>
    /// <param name="caller">The method that seems to take the lock.</param>
    /// <param name="below">The frame beneath. Code that a package generates at run time only calls other code.</param>
    public static bool IsTakenByACallee(FrameInfo caller, FrameInfo? below) =>
        below is { Owner: FrameOwner.Library, HasType: false } ? caller.Library is not null
        : below is { Owner: FrameOwner.Core, IsTypeStart: false }
        && (below.Kind == WaitKind.Lock
            ? (caller.Owner == FrameOwner.UserCode || caller.Library is not null) && !MayBeTakenBy(caller)
            : caller.Library is not null && !CallPaths.Calls(caller, below, CallPaths.Close));

    /// <summary>
    /// Whether an instruction is in the body of a <c>lock</c> statement. The compiler leaves that body in a handler that releases the lock.
    /// </summary>
    public static bool Contain(MethodBase method, int ilOffset)
    {
        var code = MethodCode.Get(method);
        return code.Handlers.Any(
            h => h.Flags == ExceptionHandlingClauseOptions.Finally && IsWithin(ilOffset, h.TryOffset, h.TryLength)
                && code.Calls.Any(c => IsWithin(c.Offset, h.HandlerOffset, h.HandlerLength) && Releases(c.Target)));
    }

    private static bool MayBeTakenBy(FrameInfo method) =>
        method.Method is not { } code || MethodCode.Get(code).Instructions.Count == 0 || MayTake(code, Deepest);

    private static bool MayTake(MethodBase method, int depth) =>
        (method.MethodImplementationFlags & MethodImplAttributes.Synchronized) != 0
        || MethodCode.Get(method).Calls.Any(call => IsOfLock(call.Target)
            || (depth > 0 && RunBy(method, call.Target) is { } callee && MayTake(callee, depth - 1)));

    // The method that a call names, or its own class's implementation of it. Null when only another class or a delegate knows.
    private static MethodBase? RunBy(MethodBase caller, MethodBase target) =>
        target.DeclaringType is { IsInterface: true } ? InterfaceCalls.ImplementationIn(caller.DeclaringType, target)
        : target.IsAbstract || target.DeclaringType?.IsSubclassOf(typeof(Delegate)) == true ? null
        : target;

    private static bool IsOfLock(MethodBase target) =>
        target.DeclaringType?.FullName is "System.Threading.Monitor" or "System.Threading.Lock" or "System.Threading.SpinLock"
            or "System.Threading.ReaderWriterLockSlim";

    private static bool IsWithin(int offset, int start, int length) => offset >= start && offset < start + length;

    // Compared by name, because the build for .NET 8 has no System.Threading.Lock.
    private static bool Releases(MethodBase target) =>
        (target.DeclaringType == typeof(Monitor) && target.Name == nameof(Monitor.Exit))
        || (target.DeclaringType?.FullName == "System.Threading.Lock+Scope" && target.Name == nameof(IDisposable.Dispose));
}
