using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Small library methods that optimised code inlines into their callers. <c>Lazy.Value</c>, for example, is on no stack, and the method it
/// calls appears directly beneath the method that asked for the value.
/// </summary>
internal static class InlinedCalls
{
    private const int Deepest = 2;

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
