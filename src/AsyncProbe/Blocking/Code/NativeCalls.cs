using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace AsyncProbe.Blocking.Code;

/// <summary>
/// Finds calls of native code. A thread that waits in one is in the method that makes the call, or in the stub that the runtime generates
/// for it. A thread that is allocating, or that the runtime has stopped for a sample or a collection, can be in any method.
/// </summary>
internal static class NativeCalls
{
    // The library name of the runtime's own functions, which load types, compile and allocate. The ones that wait have wait kinds of their
    // own.
    private const string RuntimeItself = "QCall";

    private const int Deepest = 2;

    private static readonly Module s_core = typeof(object).Module;

    // Weak, so that a plugin's methods can be unloaded.
    private static readonly ConditionalWeakTable<MethodBase, int[]> s_known = [];

    /// <summary>The offsets of the calls that may wait in native code.</summary>
    public static IReadOnlyList<int> In(MethodBase method) => s_known.GetValue(method, static m => [.. Find(m, Deepest)]);

    /// <summary>Whether a method calls native functions, and all of them are the runtime's own.</summary>
    public static bool AreTheRuntimes(MethodBase method)
    {
        var native = MethodCode.Get(method).Calls.Where(c => IsNative(c.Target)).ToList();
        return native.Count > 0 && native.TrueForAll(c => !MayWait(c.Target));
    }

    private static IEnumerable<int> Find(MethodBase method, int depth)
    {
        var code = MethodCode.Get(method);
        foreach (var pointer in code.Instructions.Where(i => i.Code == OpCodes.Calli))
        {
            yield return pointer.Offset;
        }

        foreach (var (offset, target, _) in code.Calls)
        {
            if (IsNative(target) ? MayWait(target) : depth > 1 && MayVanish(target) && Find(target, depth - 1).Any())
            {
                yield return offset;
            }
        }
    }

    private static bool IsNative(MethodBase method) => (method.Attributes & MethodAttributes.PinvokeImpl) != 0;

    private static bool MayWait(MethodBase native)
    {
        try
        {
            return !native.IsDefined(typeof(SuppressGCTransitionAttribute), inherit: false)
                && (native.Module != s_core || native.GetCustomAttribute<DllImportAttribute>()?.Value != RuntimeItself);
        }
        catch (Exception)
        {
            // The assembly of an attribute is missing.
            return true;
        }
    }

    // Whether optimised code may have inlined a small method between the caller and the native function. In the core library, small methods
    // that wait have wait kinds of their own.
    private static bool MayVanish(MethodBase target) =>
        target.Module != s_core && target is not { IsVirtual: true, IsFinal: false }
            && InlinedCalls.MayVanish(target, InlinedCalls.Usual);
}
