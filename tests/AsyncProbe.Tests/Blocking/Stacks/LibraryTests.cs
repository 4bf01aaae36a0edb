using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.Data.Sqlite;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>The package that contains a wait reported at the application's line.</summary>
[Trait("Category", "Logic")]
public sealed class LibraryTests
{
    [Theory]
    [InlineData(typeof(SqlMapper), "Query", "Dapper")]
    [InlineData(typeof(SqliteCommand), "ExecuteReader", "Microsoft.Data.Sqlite")]
    [InlineData(typeof(HttpClient), "Send", null)]
    [InlineData(typeof(EndpointRouteBuilderExtensions), "MapGet", null)]
    public void Library_IsThePackageBetweenTheLineAndTheWait(Type type, string method, string? expected)
    {
        var found = BlameFrame.Find(
            HandMadeStacks.Of(
                HandMadeStacks.Method(typeof(Monitor), "Enter"), HandMadeStacks.Method(type, method), HandMadeStacks.Own),
            HandMadeStacks.Frames, handler: null);

        (found?.ToSiteFrame(HandMadeStacks.Frames).Library).ShouldBe(expected);
    }

    [Fact]
    public void Library_IsTheInnermost_WhenOneCallsAnother()
    {
        var found = BlameFrame.Find(
            HandMadeStacks.Of(
                HandMadeStacks.Method(typeof(Monitor), "Enter"), HandMadeStacks.Method(typeof(SqliteCommand), "ExecuteReader"),
                HandMadeStacks.Method(typeof(SqlMapper), "Query"), HandMadeStacks.Own),
            HandMadeStacks.Frames, handler: null);

        found.ShouldNotBeNull().Library.ShouldBe("Microsoft.Data.Sqlite");
    }

    // "A TaskCompletionSource or a Channel", or "await it", was the advice where only the library can wait in another way.
    [Theory]
    [InlineData(typeof(ManualResetEventSlim))]
    [InlineData(typeof(Task))]
    public void Remedy_IsToCallLess_WhenTheLibraryWaitsAndHasNothingToAwait(Type waiter)
    {
        var stack = HandMadeStacks.Of(
            HandMadeStacks.Method(waiter, "Wait"), HandMadeStacks.Method(typeof(SqlMapper), "PurgeQueryCache"),
            HandMadeStacks.Own);
        var blame = BlameFrame.Find(stack, HandMadeStacks.Frames, handler: null).ShouldNotBeNull();

        var site = new BlockingSites(500, new AllowRules([])).GetOrAdd(blame, null, stack, HandMadeStacks.Frames);

        site.Advice.Remedy.ShouldStartWith("Dapper waits here");
        site.Advice.Remedy.ShouldNotContain("Channel");
        site.Advice.Remedy.ShouldNotContain("await it");
    }
}
