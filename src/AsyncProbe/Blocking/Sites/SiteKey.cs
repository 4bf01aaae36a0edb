using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>What makes a call site one: how it waits, where, and under which leave.</summary>
internal readonly record struct SiteKey(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Call, string? Reason, bool IsInCatch)
{
    /// <param name="blame">How it waits, and where.</param>
    /// <param name="reason">The leave; null when there is none.</param>
    public SiteKey(BlameFrame blame, string? reason)
        : this(blame.Kind, blame.At, blame.IlOffset, blame.Call, reason, blame.IsInCatch == true)
    {
    }
}
