using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Stacks;
using Dapper;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mono.Cecil;
using Npgsql;
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

    // Dapper's code is inlined, so Npgsql's command is beneath a statement that only creates a connection.
    [Fact]
    public void Method_IsNamedWithoutALine_WhenTheStatementOnlyCreatesAnObject()
    {
        var method = HandMadeStacks.Frames.Get(Method(typeof(LibraryReachTests), nameof(QueryWithAConnection)));
        var command = HandMadeStacks.Frames.Get(Method(typeof(NpgsqlCommand), nameof(NpgsqlCommand.ExecuteReader)));
        var connection = CallSiteIl.Calls(method.Method!, 0, int.MaxValue)
            .Single(call => call.Target.Name == nameof(NpgsqlDataSource.CreateConnection)).Offset;

        var place = new SiteFrame(method, connection, command, HandMadeStacks.Frames);

        place.Frame.ShouldBe(method);
        place.Line.ShouldBeNull();
    }

    // The base class's method is inlined into its caller. Only its own callee is on the stack.
    [Fact]
    public void Line_IsTheCallOfTheBaseClass_WhenTheRuntimeTellsTheConstructorBeforeIt()
    {
        var method = HandMadeStacks.Frames.Get(Method(typeof(LibraryReachTests), nameof(ModelOfANewTree)));
        var model = HandMadeStacks.Frames.Get(Method(typeof(CSharpCompilation), nameof(CSharpCompilation.GetSemanticModel)));
        var calls = MethodCode.Get(method.Method!).Calls;
        var options = calls.Single(call => call.IsNew).Offset;
        var expected = new SiteFrame(method, calls.Single(call => call.Target.Name == nameof(Compilation.GetSemanticModel)).Offset).Line;

        new SiteFrame(method, options, model, HandMadeStacks.Frames).Line.ShouldNotBeNull().Line.ShouldBe(expected!.Line);
    }

    // Each constructor calls that of its base class, and all of them have the same name.
    [Fact]
    public void Line_IsTheConstructions_WhenALibrarysConstructorIsOnTheStack()
    {
        var method = HandMadeStacks.Frames.Get(Method(typeof(Store), ".ctor"));
        var library = HandMadeStacks.Frames.Get(Method(typeof(CSharpParseOptions), ".ctor"));
        var options = MethodCode.Get(method.Method!).Calls.Single(call => call.IsNew).Offset;
        var expected = new SiteFrame(method, options).Line;

        new SiteFrame(method, options, library, HandMadeStacks.Frames).Line.ShouldNotBeNull().Line.ShouldBe(expected!.Line);
    }

    private sealed class Store
    {
        public Store()
        {
            Options = new CSharpParseOptions();
        }

        public CSharpParseOptions Options { get; }
    }

    private static SemanticModel ModelOfANewTree(Compilation compilation, SyntaxTree tree)
    {
        var options = new CSharpParseOptions();
        compilation = compilation.ReplaceSyntaxTree(tree, tree.WithRootAndOptions(tree.GetRoot(), options));
        return compilation.GetSemanticModel(tree);
    }

    private static int QueryWithAConnection(NpgsqlDataSource source)
    {
        using var connection = source.CreateConnection();
        var rows = connection.Query<int>("SELECT 1").ToList();
        return rows.Count;
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
