using AsyncProbe.Blocking.Stacks;
using Dapper;
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

    // Dapper's Query is inlined into its caller. Npgsql's methods wait for the database too, but never call Dapper.
    [Fact]
    public void Line_IsTheQuerys_WhenTheRuntimeTellsTheConnectionBeforeIt()
    {
        var method = HandMadeStacks.Frames.Get(Method(typeof(LibraryReachTests), nameof(QueryWithAConnection)));
        var query = HandMadeStacks.Frames.Get(Method(typeof(SqlMapper), "QueryImpl"));
        var calls = CallSiteIl.Calls(method.Method!, 0, int.MaxValue).ToList();
        var connection = calls.Single(call => call.Target.Name == nameof(NpgsqlDataSource.CreateConnection)).Offset;
        var expected = new SiteFrame(method, calls.Single(call => call.Target.Name == nameof(SqlMapper.Query)).Offset).Line;

        new SiteFrame(method, connection, query, HandMadeStacks.Frames).Line.ShouldNotBeNull().Line.ShouldBe(expected!.Line);
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
