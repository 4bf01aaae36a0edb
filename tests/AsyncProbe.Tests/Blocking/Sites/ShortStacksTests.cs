using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Sites;

[Trait(Logic.Category, Logic.Name)]
public sealed class ShortStacksTests
{
    // Optimised code reports the first statement of the caller, which opens a file.
    [Theory]
    [InlineData(nameof(Save), true)]
    [InlineData(nameof(Load), false)]
    public void Line_IsLeftOut_WhenItCannotHaveMadeTheCall(string below, bool hasLine)
    {
        var stack = Frames(below, nameof(Caller));

        ShortStacks.Create(stack, at: null)[1].Contains("ShortStacksTests.cs:", StringComparison.Ordinal).ShouldBe(hasLine);
    }

    [Fact]
    public void Place_HasTheLineThatTheSearchFound()
    {
        var stack = Frames(nameof(Load), nameof(Caller));

        ShortStacks.Create(stack, at: stack[1])[1].ShouldBe(stack[1].Text);
    }

    private static SiteFrame[] Frames(params string[] methods) =>
        [.. methods.Select(name => new SiteFrame(HandMadeStacks.Frames.Get(HandMadeStacks.Method(typeof(ShortStacksTests), name)), 0))];

    private static void Caller() => Save();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Save()
    {
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Load()
    {
    }
}
