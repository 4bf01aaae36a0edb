using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>A wait in the last call of a task's delegate: optimised code leaves no application frame on the stack.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class RunningTaskTests
{
    private static readonly MethodBase s_join = Method(typeof(Thread), nameof(Thread.Join));
    private static readonly MethodBase s_invoke = Method(typeof(Task), "InnerInvoke");
    private static readonly MethodBase s_run = Method(typeof(ExecutionContext), "RunFromThreadPoolDispatchLoop");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Delegate_IsToBlame_WhenItMakesTheCallAndIsNotOnTheStack(bool isInvokeLeft)
    {
        var stack = isInvokeLeft ? Of(s_join, s_invoke, s_run) : Of(s_join, s_run);

        var blame = await Task.Run(() => FindAndJoin(stack)).WaitAsync(TimeSpan.FromSeconds(30));

        blame!.Kind.ShouldBe(WaitKind.Join);
        blame.At.ShortName.ShouldBe("RunningTaskTests.Delegate_IsToBlame_WhenItMakesTheCallAndIsNotOnTheStack");
        var site = blame.ToSiteFrame(HandMadeStacks.Frames);
        site.Frame.MethodName.ShouldBe(nameof(FindAndJoin));
        site.Line!.Line.ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Nobody_IsToBlame_WhenTheTaskMakesNoSuchCall() =>
        (await Task.Run(() => BlameFrame.Find(Of(s_join, s_invoke, s_run), HandMadeStacks.Frames, handler: null)).WaitAsync(
            TimeSpan.FromSeconds(30))).ShouldBeNull();

    [Fact]
    public void Nobody_IsToBlame_WhenTheThreadRunsNoTask()
    {
        BlameFrame? blame = null;
        var thread = new Thread(() => blame = FindAndJoin(Of(s_join, s_run)));
        thread.Start();
        thread.Join();

        blame.ShouldBeNull();
    }

    private static BlameFrame? FindAndJoin(StackTrace stack)
    {
        var blame = BlameFrame.Find(stack, HandMadeStacks.Frames, handler: null);

        // Never true, but it is in the code.
        if (stack.FrameCount < 0)
        {
            Thread.CurrentThread.Join();
        }

        return blame;
    }
}
