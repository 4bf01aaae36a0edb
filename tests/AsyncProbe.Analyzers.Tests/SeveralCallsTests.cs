using static AsyncProbe.Analyzers.Tests.Reported;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>Methods with several calls that look alike.</summary>
public sealed class SeveralCallsTests
{
    private static Compiled Method(params string[] lines) =>
        Compiled.From(
            "using System.Threading; using System.Threading.Tasks;\nclass Store { void Load(Task a, Task b, Task c, object gate) {\n"
                + string.Join('\n', lines) + "\n} }");

    [Fact]
    public async Task EachLine_HasItsOwnFigures()
    {
        var warnings = await Method("a.Wait();", "b.Wait();")
            .With(Server(Site("Store.Load", 4, count: 4), Site("Store.Load", 3, count: 3))).WarnAsync();

        warnings.Select(w => w.Split(' ')[0]).ShouldBe(["Store.cs:3", "Store.cs:4"]);
        warnings[0].ShouldContain(" 3 times");
        warnings[1].ShouldContain(" 4 times");
    }

    [Fact]
    public async Task OneLineWithTwoCalls_IsWarnedAboutOnce() =>
        (await Method("a.Wait(); b.Wait();").With(Server(Site("Store.Load", 3))).WarnAsync()).Count.ShouldBe(1);

    [Fact]
    public async Task OneLineWithTwoKinds_IsWarnedAboutTwice()
    {
        var warnings = await Method("lock (gate) { Thread.Sleep(1); }")
            .With(Server(Site("Store.Load", 3, "Lock", awaitable: null), Site("Store.Load", 3, "Sleep", "Task.Delay"))).WarnAsync();

        warnings.Select(w => w.Split(' ')[1]).ShouldBe(["BlockingLock", "BlockingSleep"]);
    }

    [Fact]
    public async Task MovedLine_IsToldByItsText()
    {
        var warnings = await Method("", "", "a.Wait();", "", "b.Wait();").With(Server(Site("Store.Load", 5, source: "b.Wait();")))
            .WarnAsync();

        warnings.Single().ShouldStartWith("Store.cs:7 ");
    }

    [Fact]
    public async Task MovedLine_IsToldByWhatElseHasMoved()
    {
        // The calls were on lines 3, 4 and 6 before two lines were added above them.
        var warnings = await Method("", "", "Thread.Sleep(1);", "a.Wait();", "", "b.Wait();")
            .With(Server(Site("Store.Load", 3, "Sleep", "Task.Delay"), Site("Store.Load", 6))).WarnAsync();

        warnings.Select(w => w.Split(' ')[0]).ShouldBe(["Store.cs:5", "Store.cs:8"]);
    }

    [Fact]
    public async Task RemovedCall_IsSilent_WhenAnotherStayed()
    {
        var warnings = await Method("b.Wait();")
            .With(Server(Site("Store.Load", 3, source: "a.Wait();"), Site("Store.Load", 4, source: "b.Wait();", endpoints: "GET /b")))
            .WarnAsync();

        warnings.Single().ShouldStartWith("Store.cs:3 BlockingTaskWait GET /b ");
    }

    // As many calls as sites, and the figures of the removed call once went to the next one.
    [Theory]
    [InlineData("b.Wait();", "c.Wait();", "Store.cs:3 BlockingTaskWait GET /b ")]
    [InlineData("b.Wait();", "a.Wait();", "Store.cs:3 BlockingTaskWait GET /b ", "Store.cs:4 BlockingTaskWait GET /a ")]
    [InlineData("c.Wait();", "b.Wait();", "Store.cs:3 BlockingTaskWait GET /a ", "Store.cs:4 BlockingTaskWait GET /b ")]
    public async Task Text_DecidesBeforeTheOrder(string first, string second, params string[] expected)
    {
        var warnings = await Method(first, second)
            .With(Server(
                Site("Store.Load", 3, source: "a.Wait();", endpoints: "GET /a"),
                Site("Store.Load", 4, source: "b.Wait();", endpoints: "GET /b")))
            .WarnAsync();

        warnings.Count.ShouldBe(expected.Length);
        warnings.Zip(expected).ShouldAllBe(pair => pair.First.StartsWith(pair.Second, StringComparison.Ordinal));
    }

    [Fact]
    public async Task EqualTexts_AreDecidedByTheirOrder()
    {
        // The calls were on lines 4 and 5 before a line above them was removed.
        var warnings = await Method("a.Wait();", "a.Wait();", "b.Wait();")
            .With(Server(
                Site("Store.Load", 4, source: "a.Wait();", endpoints: "GET /1"),
                Site("Store.Load", 5, source: "a.Wait();", endpoints: "GET /2")))
            .WarnAsync();

        warnings.Select(w => w.Split(' ')[3]).ShouldBe(["/1", "/2"]);
    }

    [Fact]
    public async Task AllowedCall_KeepsItsPlace()
    {
        var warnings = await Method("", "a.Wait();", "b.Wait();")
            .With(Server(Site("Store.Load", 3, allowed: "known"), Site("Store.Load", 4))).WarnAsync();

        warnings.Single().ShouldStartWith("Store.cs:5 ");
    }

    [Fact]
    public async Task CallOverSeveralLines_IsFoundByItsStatement() =>
        (await Method("var list = Task", "    .FromResult(1)", "    .Result;")
            .With(Server(Site("Store.Load", 3, "Task.Result"))).WarnAsync()).Single().ShouldStartWith("Store.cs:3 BlockingTaskResult");
}
