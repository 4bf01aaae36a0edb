using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Finds out from a method's instructions which locks it takes, and which of its code runs while it holds one.</summary>
internal static class LockStatements
{
    private const int Deepest = 2;

    /// <summary>
    /// Whether a package's method takes no lock, so that optimised code must have inlined one that does: a sink into the logger's list of
    /// sinks, for example. Methods that it calls by name count as its own code. Those behind an interface or a delegate don't.
    /// </summary>
    /// <param name="library">The method.</param>
    /// <param name="below">The frame beneath.</param>
    public static bool IsTakenByACallee(FrameInfo library, FrameInfo? below) =>
        library.Library is not null && below is { Owner: FrameOwner.Core }
        && (below.Kind == WaitKind.Lock ? !MayBeTakenBy(library) : !CallPaths.Calls(library, below, CallPaths.Close));

    /// <summary>Whether a method may take a lock, in its own code or in a method that it calls by name.</summary>
    public static bool MayBeTakenBy(FrameInfo method) =>
        method.Method is not { } code || MethodCode.Get(code).Instructions.Count == 0 || MayTake(code, Deepest);

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
