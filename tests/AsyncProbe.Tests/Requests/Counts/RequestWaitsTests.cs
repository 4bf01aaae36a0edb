using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Requests.Counts;

[Trait(Logic.Category, Logic.Name)]
public sealed class RequestWaitsTests
{
    [Fact]
    public void Longest_IsNoLockThatTheFrameworkTookOnce_BecauseTheReportLeavesItOut()
    {
        var waits = new RequestWaits(null);
        var framework = HandMadeStacks.Method(typeof(HttpClient), nameof(HttpClient.CancelPendingRequests));
        var once = new BlockingSite(WaitKind.Lock, new SiteFrame(HandMadeStacks.Frames.Get(framework), 1), null, [], null);
        var own = new BlockingSite(WaitKind.Lock, new SiteFrame(HandMadeStacks.Frames.Get(HandMadeStacks.Own), 1), null, [], null);

        once.Add(50.Ns(), "GET /");
        waits.Add(50.Ns(), once);
        waits.LongestAt.ShouldBeNull();

        own.Add(20.Ns(), "GET /");
        waits.Add(20.Ns(), own);
        waits.LongestAt.ShouldBe(own);
        waits.Explained.ShouldBe(70.Ns());
    }

    // When it also counted as a lock, the request's other waits were treated as a lock as well.
    [Fact]
    public void Locks_AreThoseThatNobodyAllowed()
    {
        var waits = new RequestWaits(null);
        var at = new SiteFrame(HandMadeStacks.Frames.Get(HandMadeStacks.Own), 1);

        waits.Add(50.Ns(), new BlockingSite(WaitKind.Lock, at, null, [], "start-up"));
        waits.Add(20.Ns(), new BlockingSite(WaitKind.Lock, at, null, [], null));

        (waits.Locks, waits.Allowed, waits.Explained).ShouldBe((20.Ns(), 50.Ns(), 70.Ns()));
    }

    [Fact]
    public void LateWaits_AreTakenOnce()
    {
        var waits = new RequestWaits(null);
        waits.AddLate(5.Ns());
        waits.AddLate(7.Ns());

        waits.TakeLate().ShouldBe(12.Ns());
        waits.TakeLate().ShouldBe(0.Ns());
        waits.Explained.ShouldBe(0.Ns());
    }
}
