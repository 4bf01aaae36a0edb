using System.Reflection;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>A sampled stack whose innermost method nobody knows.</summary>
[Trait("Category", "Logic")]
public sealed class UnknownInnermostTests
{
    private static readonly ManualResetEvent s_event = new(initialState: true);

    [Theory]
    [InlineData(nameof(Spin))]
    [InlineData(nameof(WaitTwice))]
    public void Sample_IsNoEvidence_WhenNothingTellsTheKind(string method) => Find(method, isInnermostUnknown: true).ShouldBeNull();

    [Fact]
    public void Sample_IsNative_WhenItsInnermostMethodIsKnown() =>
        Find(nameof(Spin), isInnermostUnknown: false).ShouldNotBeNull().Kind.ShouldBe(WaitKind.Native);

    [Fact]
    public void Sample_IsTheOnlyWaitOfItsStatement_WhenItsInnermostMethodIsUnknown()
    {
        var found = Find(nameof(WaitOnce), isInnermostUnknown: true).ShouldNotBeNull();

        found.ToSiteFrame(HandMadeStacks.Frames).Refine(found.Kind).ShouldBe(WaitKind.WaitHandle);
    }

    private static BlameFrame? Find(string name, bool isInnermostUnknown)
    {
        var method = typeof(UnknownInnermostTests).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!;
        var sample = new StackSample
        {
            OsThreadId = 1,
            Frames = [new SampledFrame { Method = method, IlOffset = 0 }],
            IsInnermostUnknown = isInnermostUnknown,
        };
        return BlameFrame.Find(sample, HandMadeStacks.Frames, handler: null);
    }

    private static void Spin() => Thread.SpinWait(1);

    private static void WaitOnce() => s_event.WaitOne();

    private static bool WaitTwice() => s_event.WaitOne() && Task.CompletedTask.Wait(1);
}
