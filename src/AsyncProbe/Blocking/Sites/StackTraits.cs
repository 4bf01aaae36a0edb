using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>What a stack says about the remedy for a wait, beyond its kind.</summary>
/// <param name="IsInParallelLoop">
/// Whether it waits in the application's loop of <c>Parallel</c>. An async body would return at its first await, and the loop would end
/// before its work is done.
/// </param>
/// <param name="IsBlockingCollection">Whether it waits for a <c>BlockingCollection</c>, which has nothing to await.</param>
internal sealed record StackTraits(bool IsInParallelLoop, bool IsBlockingCollection)
{
    public static StackTraits From(IReadOnlyList<SiteFrame> stack) => new(
        stack.Where((_, i) => IsOwnLoop(stack, i)).Any(),
        stack.TakeWhile(frame => frame.OnStack.Owner != FrameOwner.UserCode)
            .Any(frame => Is(frame, "System.Collections.Concurrent.BlockingCollection.")));

    // A library's own loop has nothing to do with what the application can change. The loop's own workers are not in the core library.
    private static bool IsOwnLoop(IReadOnlyList<SiteFrame> stack, int i) =>
        IsOfLoop(stack[i])
            && stack.Skip(i + 1).FirstOrDefault(frame => frame.OnStack.Owner != FrameOwner.Core && !IsOfLoop(frame)) is null
                or { OnStack.Owner: not FrameOwner.Library };

    private static bool IsOfLoop(SiteFrame frame) =>
        Is(frame, "System.Threading.Tasks.Parallel.") || Is(frame, "System.Threading.Tasks.TaskReplicator.");

    private static bool Is(SiteFrame frame, string type) => frame.OnStack.FullName.StartsWith(type, StringComparison.Ordinal);
}
