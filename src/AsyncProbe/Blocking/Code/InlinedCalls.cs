using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Code;

/// <summary>
/// Small library methods that optimised code inlines into their callers. <c>Lazy.Value</c>, for example, is on no stack, and the method it
/// calls appears directly beneath the method that asked for the value.
/// </summary>
internal static class InlinedCalls
{
    /// <summary>The largest method, in bytes of IL, that the JIT compiler inlines without being asked.</summary>
    public const int Usual = 100;

    /// <summary>The largest that it inlines where a profile says that it pays. It sometimes inlines larger ones.</summary>
    public const int WithProfile = 200;

    private const int Deepest = 2;

    /// <summary>Whether optimised code may have inlined a method.</summary>
    /// <param name="largest">How large it may be, in bytes of IL.</param>
    public static bool MayVanish(MethodBase method, int largest) =>
        (method.MethodImplementationFlags & MethodImplAttributes.AggressiveInlining) != 0
        || ((method.MethodImplementationFlags & MethodImplAttributes.NoInlining) == 0
            && MethodCode.Get(method).Instructions is { Count: > 0 } code && code[^1].Offset < largest);

    /// <summary>Whether a call names a library method that calls the one on the stack.</summary>
    public static bool Lead(MethodBase target, FrameInfo call) =>
        call is { Kind: WaitKind.Other, Owner: FrameOwner.Core or FrameOwner.Library, Method: { } shown }
            && target.Module == shown.Module && Find(target, call, Deepest);

    private static bool Find(MethodBase target, FrameInfo call, int depth)
    {
        foreach (var (_, next, _) in MethodCode.Get(target).Calls)
        {
            if (next.Module == target.Module && (CallSiteIl.IsOfName(next, call) || (depth > 1 && Find(next, call, depth - 1))))
            {
                return true;
            }
        }

        return false;
    }
}
