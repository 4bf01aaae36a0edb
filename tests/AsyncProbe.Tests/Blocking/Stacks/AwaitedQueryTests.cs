using System.Reflection;
using AsyncProbe.Blocking.Stacks;
using Microsoft.EntityFrameworkCore;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Awaited queries of EF Core whose provider waits all the same.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class AwaitedQueryTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(AwaitedQueryTests).Assembly.GetName().Name!]));

    // FirstOrDefaultAsync was inlined, and a repository's method that only builds the query was reported in its place.
    [Fact]
    public void Place_IsTheAwaitedQuery_AndNotTheMethodThatBuildsIt()
    {
        var machine = typeof(Repository).GetNestedTypes(BindingFlags.NonPublic)
            .Single(t => t.Name.StartsWith($"<{nameof(Repository.FirstAsync)}>", StringComparison.Ordinal));
        var method = Method(machine, "MoveNext");
        var query = s_frames.Get(Method(
            typeof(DbContext).Assembly.GetType("Microsoft.EntityFrameworkCore.Query.Internal.QueryCompiler")!, "ExecuteAsync"));
        var offset = MethodCode.Get(method).Calls.Single(c => c.Target.Name == nameof(EntityFrameworkQueryableExtensions.FirstOrDefaultAsync))
            .Offset;

        var place = new SiteFrame(s_frames.Get(method), offset, query, s_frames);

        place.Text.ShouldStartWith("AwaitedQueryTests.Repository.FirstAsync (");
    }

    private sealed class Repository(DbContext context)
    {
        public async Task<string?> FirstAsync()
        {
            return await Apply(context.Set<string>()).FirstOrDefaultAsync();
        }

        private static IQueryable<string> Apply(IQueryable<string> query) => query.AsNoTracking();
    }
}
