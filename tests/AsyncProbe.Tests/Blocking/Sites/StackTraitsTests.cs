using System.Reflection;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Tests.Blocking.Stacks;
using Mono.Cecil;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Sites;

[Trait(Logic.Category, Logic.Name)]
public sealed class StackTraitsTests
{
    private static readonly MethodBase s_wait = Method(typeof(Task), nameof(Task.Wait));
    private static readonly MethodBase s_loop = Method(typeof(Parallel), nameof(Parallel.For));
    private static readonly MethodBase s_worker = Method(
        typeof(Parallel).Assembly.GetType("System.Threading.Tasks.TaskReplicator+Replica", throwOnError: true)!, "Execute");

    private static readonly MethodBase s_library = Method(typeof(MetadataResolver), nameof(MetadataResolver.Resolve));

    [Fact]
    public void Loop_IsTheApplications_WhetherItsBodyOrItsCallerWaits()
    {
        Traits(s_wait, Own, s_loop, Own).IsInParallelLoop.ShouldBeTrue();
        Traits(s_wait, s_loop, Own).IsInParallelLoop.ShouldBeTrue();
        Traits(s_wait, s_loop).IsInParallelLoop.ShouldBeTrue();

        // On a worker's stack, the loop's own machinery got the advice to await in the body.
        Traits(s_wait, s_loop, s_worker).IsInParallelLoop.ShouldBeTrue();
        Traits(s_wait, s_worker).IsInParallelLoop.ShouldBeTrue();
    }

    /// <summary>An image library's loop got the advice to use <c>Parallel.ForEachAsync</c>.</summary>
    [Fact]
    public void Loop_OfALibrary_IsNotTheApplications() => Traits(s_wait, s_loop, s_library, Own).IsInParallelLoop.ShouldBeFalse();

    private static StackTraits Traits(params MethodBase[] stack) =>
        StackTraits.From([.. stack.Select(method => new SiteFrame(HandMadeStacks.Frames.Get(method), SiteFrame.Unknown))]);
}
