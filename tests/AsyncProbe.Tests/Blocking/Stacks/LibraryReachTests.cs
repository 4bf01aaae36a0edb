using AsyncProbe.Blocking.Stacks;
using Mono.Cecil;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>A library's call leads only to libraries that it refers to.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class LibraryReachTests
{
    [Theory]
    [InlineData(nameof(ReadAfterAnAssertion), 2)]
    [InlineData(nameof(ReadAfterTheSameLibrary), 1)]
    public void Line_IsTheCallsThatCanBeTheFrameBeneath(string name, int statement)
    {
        var method = Method(typeof(LibraryReachTests), name);
        var reported = CallSiteIl.Calls(method, 0, int.MaxValue).First().Offset;
        var read = HandMadeStacks.Frames.Get(Method(typeof(ModuleDefinition).Assembly.GetType("Mono.Cecil.ModuleReader")!, "ReadModule"));
        var first = new SiteFrame(HandMadeStacks.Frames.Get(method), reported).Line.ShouldNotBeNull().Line;

        new SiteFrame(HandMadeStacks.Frames.Get(method), reported, read, HandMadeStacks.Frames).Line.ShouldNotBeNull().Line.ShouldBe(first + statement - 1);
    }

    private static string ReadAfterAnAssertion(string path)
    {
        path.ShouldNotBeNull();
        return ModuleDefinition.ReadModule(path).Name;
    }

    private static string ReadAfterTheSameLibrary(string path)
    {
        var all = ModuleDefinition.ReadModule(path);
        return all.Name;
    }
}
