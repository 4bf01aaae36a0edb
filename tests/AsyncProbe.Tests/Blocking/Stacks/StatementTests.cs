using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.TestServer;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Places whose statement can't have made the call.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class StatementTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(LaterCalls).Assembly.GetName().Name!]));
    private static readonly MethodBase s_writeLine =
        HandMadeStacks.Method(TextWriter.Synchronized(TextWriter.Null).GetType(), nameof(TextWriter.WriteLine));

    // 2,695 waits were once reported at the first statement, which only reads an item of the request.
    [Fact]
    public void Line_IsNotShown_WhenSeveralOtherStatementsMakeTheCall()
    {
        var place = PlaceOf(nameof(LaterCalls.InTwoBranches), "get_Items", s_writeLine);

        place.Line.ShouldBeNull();
        place.Text.ShouldBe("LaterCalls.InTwoBranches");
    }

    [Fact]
    public void Line_IsTheOnlyOtherStatements_ThatMakesTheCall() =>
        PlaceOf(nameof(LaterCalls.InOneBranch), "get_Items", s_writeLine).Line.ShouldNotBeNull().Line.ShouldBe(Marked(nameof(LaterCalls.InOneBranch)));

    [Theory]
    [InlineData(nameof(LaterCalls.UsingBlock))]
    [InlineData(nameof(LaterCalls.UsingDeclaration))]
    public void Line_IsTheUsings_WhenTheRuntimeReportsTheStatementBehind(string name)
    {
        var method = HandMadeStacks.Method(typeof(LaterCalls), name);
        var last = MethodCode.Get(method).Instructions[^1].Offset;
        var dispose = s_frames.Get(HandMadeStacks.Method(typeof(FileStream), nameof(FileStream.Dispose)));

        new SiteFrame(s_frames.Get(method), last, dispose, s_frames).Line.ShouldNotBeNull().Line.ShouldBe(Marked(name));
    }

    [Theory]
    [InlineData(nameof(LaterCalls.UsingBlock))]
    [InlineData(nameof(LaterCalls.UsingDeclaration))]
    public void Line_IsTheUsings_WhenTheRuntimeReportsWhatTheCompilerAdds(string name)
    {
        var method = HandMadeStacks.Method(typeof(LaterCalls), name);
        var offset = MethodCode.Get(method).Calls.Single(c => c.Target.Name == "Dispose").Offset;
        var wait = s_frames.Get(HandMadeStacks.Method(typeof(FileStream), nameof(FileStream.Dispose)));

        new SiteFrame(s_frames.Get(method), offset, wait, s_frames).Line.ShouldNotBeNull().Line.ShouldBe(Marked(name));
    }

    [Fact]
    public void IteratorsFinally_HasTheIteratorsName()
    {
        var machine = typeof(LaterCalls).GetNestedTypes(BindingFlags.NonPublic)
            .Single(t => t.Name.StartsWith($"<{nameof(LaterCalls.Iterator)}>", StringComparison.Ordinal));

        s_frames.Get(HandMadeStacks.Method(machine, "<>m__Finally1")).ShortName.ShouldBe("LaterCalls.Iterator");
    }

    private static SiteFrame PlaceOf(string name, string reported, MethodBase call)
    {
        var method = HandMadeStacks.Method(typeof(LaterCalls), name);
        var offset = MethodCode.Get(method).Calls.First(c => c.Target.Name == reported).Offset;
        return new SiteFrame(s_frames.Get(method), offset, s_frames.Get(call), s_frames);
    }

    private static int Marked(string name) => MarkedLines.Find("LaterCalls.cs", "waits", name);
}
