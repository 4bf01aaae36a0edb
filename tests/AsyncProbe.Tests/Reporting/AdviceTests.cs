using AsyncProbe.Blocking;
using AsyncProbe.Reporting;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Reporting;

[Trait(Logic.Category, Logic.Name)]
public sealed class AdviceTests
{
    private const long Ms = Nanoseconds.PerMillisecond;

    private static readonly HeldSplit s_blocked = new(210 * Ms, 8 * Ms, 0, 2 * Ms, 200 * Ms);

    [Fact]
    public void AsyncWillHelp_SaysWhereAndWhatItBuys()
    {
        var ceiling = Ceiling.Of(s_blocked, 200 * Ms, 0, threads: 5, cores: 2);

        Advice.For(Verdict.AsyncWillHelp, 9, s_blocked, 211 * Ms, ceiling, Site(WaitKind.TaskWait)).ShouldBe(
            "Each request holds a pool thread for 210 ms, and for 200 ms of that the thread does nothing, most at Task.Wait: await instead, "
            + "and the ceiling rises from 23 to about 250 requests a second (×11 at 5 threads). See docs/blocking.md#taskwait");
    }

    [Fact]
    public void AsyncWillHelp_PromisesABound_WhenLittleCpuRemains()
    {
        var mean = new HeldSplit(200 * Ms, Ms / 2, 0, 0, 199 * Ms);
        var ceiling = Ceiling.Of(mean, mean.Blocked, 0, threads: 4, cores: 2);

        Advice.For(Verdict.AsyncWillHelp, 9, mean, 201 * Ms, ceiling, Site(WaitKind.TaskWait)).ShouldContain(
            "the ceiling rises from 20 to up to 4,000 requests a second (×200 at 4 threads).");
    }

    [Fact]
    public void AsyncWillHelp_SaysThatNobodyHasLooked_WhenNoRequestWasWatched()
    {
        var advice = Advice.For(Verdict.AsyncWillHelp, 9, s_blocked, null, null, null, WaitsSeen.NotLooked);

        advice.ShouldContain("does nothing, at a place not seen yet (not looked yet: the wait hook watches its next requests): await instead");
        advice.ShouldNotContain("no managed wait seen");
    }

    [Fact]
    public void AsyncWillHelp_SaysWhatItMayBe_WhenNoSiteWasSeen() =>
        Advice.For(Verdict.AsyncWillHelp, 9, s_blocked, null, null, null, WaitsSeen.NoPlace).ShouldBe(
            "Each request holds a pool thread for 210 ms, and for 200 ms of that the thread does nothing, at a place not seen yet "
            + "(no managed wait seen: Thread.Sleep, file I/O or native code): await instead, and the thread is free meanwhile. "
            + "See docs/blocking.md#what-has-no-name-here");

    [Theory]
    [InlineData(null, 10.0)]
    [InlineData(10.0, null)]
    [InlineData(0.0, 10.0)]
    public void AsyncWillHelp_PromisesNoFigure_WhenThereIsNone(double? now, double? then) =>
        Advice.For(Verdict.AsyncWillHelp, 9, s_blocked, null, new Ceiling(4, new Rate(now, now), new Rate(then, then)), null)
            .ShouldContain("await instead, and the thread is free meanwhile.");

    [Fact]
    public void LockContention_SaysThatAsyncDoesNotHelp_AndWhere() =>
        Advice.For(Verdict.LockContention, 9, s_blocked, null, null, Site(WaitKind.Lock)).ShouldBe(
            "Each request is blocked for 200 ms of 210 ms held, most of it at a contended lock (Lock): async will not help; "
            + "hold the lock for less time, or share less. See docs/blocking.md#lock");

    [Fact]
    public void LockContention_NeedsNoSite() =>
        Advice.For(Verdict.LockContention, 9, s_blocked, null, null, null).ShouldContain("at a contended lock: async will not help");

    [Fact]
    public void CpuBound_SaysThatAsyncRaisesNothing()
    {
        var mean = new HeldSplit(60 * Ms, 38 * Ms, 0, 2 * Ms, 20 * Ms);
        var ceiling = new Ceiling(4, new Rate(47, 50), new Rate(47, 50));

        Advice.For(Verdict.CpuBound, 9, mean, null, ceiling, null).ShouldBe(
            "40 ms of the 60 ms held is CPU work: async will not raise the ceiling of 47 requests a second; less work, a cache or more cores will.");
        Advice.For(Verdict.CpuBound, 9, mean, null, null, null).ShouldContain("will not raise the ceiling; less work");
    }

    [Fact]
    public void AlreadyAsync_SaysHowLittleIsHeld()
    {
        var mean = new HeldSplit(2 * Ms, 2 * Ms, 0, 0, 0);

        Advice.For(Verdict.AlreadyAsync, 9, mean, 200 * Ms, null, null).ShouldBe(
            "Requests take 200 ms and hold a thread for 2 ms of it: the waits are awaited, so there is nothing to gain here.");
        Advice.For(Verdict.AlreadyAsync, 9, mean, null, null, null).ShouldStartWith("Requests take 0 ms and");
    }

    [Fact]
    public void Fine_SaysThatNothingIsToGain() =>
        Advice.For(Verdict.Fine, 9, new HeldSplit(Ms / 2, Ms / 2, 0, 0, 0), null, null, null)
            .ShouldBe("Requests hold a thread for 0.5 ms: there is nothing to gain here.");

    [Fact]
    public void Fine_SaysThatTheCoresAreTaken_WhenMostOfTheTimeIsWaiting() =>
        Advice.For(Verdict.Fine, 9, new HeldSplit(9 * Ms, Ms / 2, 8 * Ms, 0, 0), 9 * Ms, null, null).ShouldBe(
            "Requests hold a thread for 9 ms, and for 8 ms of that it waits for a core: other work takes the cores, and nothing here needs changing.");

    [Fact]
    public void NotEnoughData_SaysHowMuchIsMissing() =>
        Advice.For(Verdict.NotEnoughData, 1, default, null, null, null)
            .ShouldBe("1 warm request so far, 5 are needed: the first few of an endpoint carry the JIT's time and do not count.");

    // Without a frame a site is named by its kind.
    private static BlockingSite Site(WaitKind kind) => new(kind, null, null, [], null);
}
