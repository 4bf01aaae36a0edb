using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Finds calls of native code. A thread that waits in one is in the method that makes the call, or in the stub that the runtime makes for
/// it. A thread that allocates, or that the runtime has stopped for a sample or a collection, is in any method.
/// </summary>
internal static class NativeCalls
{
    // The runtime's own functions: they load types, compile and allocate. The waiting ones have their own kinds.
    private const string RuntimeItself = "QCall";

    // What the JIT compiler takes into a caller unasked.
    private const int LargestInlined = 100;
    private const int Deepest = 2;

    private static readonly Module s_core = typeof(object).Module;

    // Weak: a plugin's methods must be able to go.
    private static readonly ConditionalWeakTable<MethodBase, int[]> s_known = [];

    /// <summary>The offsets of the calls that may wait in native code.</summary>
    public static IReadOnlyList<int> In(MethodBase method) => s_known.GetValue(method, static m => [.. Find(m, Deepest)]);

    /// <summary>Whether the only native functions that a method calls are the runtime's own.</summary>
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
            // An attribute of a missing assembly.
            return true;
        }
    }

    // A small method between the two that optimised code took into its caller. The core's small methods wait for nothing without a name.
    private static bool MayVanish(MethodBase target)
    {
        if (target.Module == s_core || target is { IsVirtual: true, IsFinal: false })
        {
            return false;
        }

        var isAsked = (target.MethodImplementationFlags & MethodImplAttributes.AggressiveInlining) != 0;
        return isAsked || MethodCode.Get(target).Instructions is { Count: > 0 } code && code[^1].Offset < LargestInlined;
    }
}
