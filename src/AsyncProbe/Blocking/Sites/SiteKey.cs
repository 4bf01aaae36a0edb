using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>The identity of a call site: how it waits, where, and under which permission.</summary>
internal readonly record struct SiteKey(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Call, string? Reason, bool IsInCatch)
{
    /// <param name="blame">How it waits, and where.</param>
    /// <param name="reason">The reason of the permission; null when there is none.</param>
    public SiteKey(BlameFrame blame, string? reason)
        : this(blame.Kind, blame.At, blame.IlOffset, blame.Call, reason, blame.IsInCatch == true)
    {
    }
}
