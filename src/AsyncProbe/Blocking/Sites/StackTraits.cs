using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>What a stack says about the remedy for a wait, beyond its kind.</summary>
/// <param name="IsInParallelLoop">
/// Whether it waits in a loop of <c>Parallel</c>. An async body would return at its first await, and the loop would end before its work is
/// done.
/// </param>
/// <param name="IsBlockingCollection">Whether it waits for a <c>BlockingCollection</c>, which has nothing to await.</param>
internal sealed record StackTraits(bool IsInParallelLoop, bool IsBlockingCollection)
{
    public static StackTraits From(IReadOnlyList<SiteFrame> stack) => new(
        stack.Any(frame => Is(frame, "System.Threading.Tasks.Parallel.")),
        stack.TakeWhile(frame => frame.OnStack.Owner != FrameOwner.UserCode)
            .Any(frame => Is(frame, "System.Collections.Concurrent.BlockingCollection.")));

    private static bool Is(SiteFrame frame, string type) => frame.OnStack.FullName.StartsWith(type, StringComparison.Ordinal);
}
