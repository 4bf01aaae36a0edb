using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Finds the parts of a method that run while it holds a lock: the compiler leaves them in a handler that releases it.</summary>
internal static class LockStatements
{
    /// <summary>Whether an instruction is in the body of a <c>lock</c> statement.</summary>
    public static bool Contain(MethodBase method, int ilOffset)
    {
        var code = MethodCode.Get(method);
        return code.Handlers.Any(
            h => h.Flags == ExceptionHandlingClauseOptions.Finally && IsWithin(ilOffset, h.TryOffset, h.TryLength)
                && code.Calls.Any(c => IsWithin(c.Offset, h.HandlerOffset, h.HandlerLength) && Releases(c.Target)));
    }

    private static bool IsWithin(int offset, int start, int length) => offset >= start && offset < start + length;

    // Compared by name, because the build for .NET 8 has no System.Threading.Lock.
    private static bool Releases(MethodBase target) =>
        (target.DeclaringType == typeof(Monitor) && target.Name == nameof(Monitor.Exit))
        || (target.DeclaringType?.FullName == "System.Threading.Lock+Scope" && target.Name == nameof(IDisposable.Dispose));
}
