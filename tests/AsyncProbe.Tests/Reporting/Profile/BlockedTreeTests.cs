using System.Text.Json;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Profile;

namespace AsyncProbe.Tests.Reporting.Profile;

public sealed class BlockedTreeTests
{
    private static readonly BlockedStack[] s_stacks =
    [
        Stack(300, "GET /a", "A.Handle", "Store.Load", "[Task.Wait]"), Stack(200, "GET /b", "B.Handle", "Store.Load", "[Task.Wait]"),
        Stack(100, "GET /a", "A.Handle", "[Lock]"),
    ];

    [Fact]
    public void Stacks_ShareTheirOutermostFrames_AndAParentHasTheTimeOfItsChildren()
    {
        var tree = new BlockedTree(s_stacks, maxNodes: 100);

        tree.Nodes.Select(n => (n.Parent, n.Frame.Name, n.Blocked.ToMilliseconds())).ShouldBe(
        [
            (null, "GET /a", 400), (0, "A.Handle", 400), (1, "Store.Load", 300), (2, "[Task.Wait]", 300),
            (null, "GET /b", 200), (4, "B.Handle", 200), (5, "Store.Load", 200), (6, "[Task.Wait]", 200), (1, "[Lock]", 100),
        ]);
        tree.Blocked.ToMilliseconds().ShouldBe(600);
        tree.Cut.ShouldBe(Duration.Zero);
    }

    [Fact]
    public void Time_StaysWithTheCaller_WhenTheNodesDoNotSuffice()
    {
        var tree = new BlockedTree(s_stacks, maxNodes: 5);

        tree.Nodes.Select(n => n.Frame.Name).ShouldBe(["GET /a", "A.Handle", "Store.Load", "[Task.Wait]", "GET /b"]);
        tree.Nodes.Where(n => n.Parent is null).Sum(n => n.Blocked.ToMilliseconds()).ShouldBe(600);
        tree.Cut.ToMilliseconds().ShouldBe(300, "those of /b, and the lock of /a");
    }

    [Fact]
    public void Json_NamesTheParentOfEachFrame_AndWhatIsOwnCode()
    {
        var own = new BlockedStack(
            [new ProfileFrame("GET /a"), new ProfileFrame("A.Handle", "src/A.cs", 12, IsOwn: true)], 5 * Duration.Millisecond);

        var json = JsonDocument.Parse(ProfileText.Tree(new BlockedTree([own], maxNodes: 100))).RootElement;

        json.GetRawText().ShouldBe(
            """
            {"blockedMs":5,"cutMs":0,"nodes":[{"name":"GET /a","own":false,"blockedMs":5},{"name":"A.Handle","file":"src/A.cs","line":12,"own":true,"blockedMs":5,"parent":0}]}
            """);
    }

    private static BlockedStack Stack(int ms, params string[] frames) =>
        new([.. frames.Select(f => new ProfileFrame(f))], ms * Duration.Millisecond);
}
