using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Prediction;
using AsyncProbe.Requests;
using AsyncProbe.Rules;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Sites;

public sealed class WaitFinderTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(WaitFinderTests).Assembly.GetName().Name!]));

    [Theory]
    [InlineData(false, "Lock")]
    [InlineData(true, "Sleep")]
    public void Worst_IsTheLongestOfAll_OrOfThoseThatASnapshotSaw(bool isSampled, string expected)
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        LockSite(sites).Add(30 * Duration.Millisecond, "GET /x");
        SleepSite(sites).AddFromSnapshot(isNew: true, 20 * Duration.Millisecond, 20 * Duration.Millisecond, "GET /x");

        new WaitFinder(new LiveWaits(), sites, new UnclaimedSites()).WorstOf("GET /x", isSampled)!.ShouldStartWith(
            $"WaitFinderTests.{expected}Site");
        var mine = EndpointSites.From(sites.Read())["GET /x"];
        (isSampled ? mine.WorstFromSnapshot : mine.Worst)!.Kind.Name().ShouldBe(expected);
    }

    // 32 cold clients wait for the console logger's queue longer than the few requests watched later wait for anything.
    [Fact]
    public void Worst_IsNoLockOfTheFramework_ThatColdRequestsAloneWaitedFor()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var framework = HandMadeStacks.Method(typeof(HttpClient), nameof(HttpClient.CancelPendingRequests));
        var foreign = sites.GetOrAdd(
            new BlameFrame(WaitKind.Lock, HandMadeStacks.Frames.Get(framework), 1, null), null, new StackTrace(), HandMadeStacks.Frames);
        foreign.AddCold(100 * Duration.Millisecond, "GET /x");
        var own = LockSite(sites);
        own.AddCold(30 * Duration.Millisecond, "GET /x");

        // Use all of them: a framework's lock that was met only at the start isn't in any report.
        var mine = EndpointSites.From([foreign, own])["GET /x"];
        (mine.Worst, mine.WorstShare).ShouldBe((own, 1));

        foreign.Add(100 * Duration.Millisecond, "GET /x");
        EndpointSites.From([foreign, own])["GET /x"].Worst.ShouldBe(foreign);
    }

    [Fact]
    public void Worst_IsNobody_WhereNoSnapshotWasTaken()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        LockSite(sites).Add(1.Ns(), "GET /x");

        new WaitFinder(new LiveWaits(), sites, new UnclaimedSites()).WorstOf("GET /x", isSampled: true).ShouldBeNull();
        EndpointSites.From(sites.Read())["GET /x"].WorstFromSnapshot.ShouldBeNull();
    }

    [Theory]
    [InlineData(false, WaitsSeen.NotLooked)]
    [InlineData(true, WaitsSeen.NothingFound)]
    public void Nobody_HasLooked_UnlessTheHookWatched(bool isUnmanaged, object seen)
    {
        var segment = new LiveSegment(new RequestProbe(), 1, 5 * Duration.Second, Duration.Zero, IsBlocked: true)
        {
            IsUnmanaged = isUnmanaged,
        };

        new WaitFinder(new LiveWaits(), new BlockingSites(500, new AllowRules([])), new UnclaimedSites()).Find(segment).Seen.ShouldBe(
            (WaitsSeen)seen);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static BlockingSite LockSite(BlockingSites sites) => Site(sites, WaitKind.Lock, new StackFrame());

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static BlockingSite SleepSite(BlockingSites sites) => Site(sites, WaitKind.Sleep, new StackFrame());

    private static BlockingSite Site(BlockingSites sites, WaitKind kind, StackFrame frame) =>
        sites.GetOrAdd(new BlameFrame(kind, s_frames.Get(frame)!, 0, null), null, new StackTrace(), s_frames);
}
