using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>What makes a call site one: how it waits, where, and under which leave.</summary>
internal readonly record struct SiteKey(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Call, string? Reason);
