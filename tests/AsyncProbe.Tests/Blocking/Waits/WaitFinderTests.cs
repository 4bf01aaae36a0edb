using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;
using AsyncProbe.Tests.Blocking.Hook;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Waits;

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

        Finder(sites).WorstOf("GET /x", isSampled)!.ShouldStartWith($"WaitFinderTests.{expected}Site");
        var mine = EndpointSites.From(sites.Read())["GET /x"];
        (isSampled ? mine.WorstFromSnapshot : mine.WorstLock)!.Kind.Name().ShouldBe(expected);
    }

    [Fact]
    public void WorstToAwait_IsNoLock()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        LockSite(sites).Add(30 * Duration.Millisecond, "GET /x");
        LockSite(sites).Add(30 * Duration.Millisecond, "GET /y");
        SleepSite(sites).AddFromSnapshot(isNew: true, 20 * Duration.Millisecond, 20 * Duration.Millisecond, "GET /x");

        var all = EndpointSites.From(sites.Read());

        (all["GET /x"].WorstToAwait!.Kind.Name(), all["GET /x"].ShareToAwait).ShouldBe(("Sleep", 0.4));
        all["GET /y"].WorstToAwait.ShouldBeNull();
    }

    // A line has other places once its method is optimised. A shorter wait was named, because it was longer than either part.
    [Fact]
    public void WorstToAwait_IsALine_WithAllItsPlaces()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var frame = s_frames.Get(HandMadeStacks.Method(typeof(WaitFinderTests), nameof(SleepSite)));
        foreach (var offset in new[] { SiteFrame.Unknown, 0 })
        {
            sites.GetOrAdd(new BlameFrame(WaitKind.TaskWait, frame, offset, null), null, new StackTrace(), s_frames)
                .Add(20 * Duration.Millisecond, "GET /x");
        }

        SleepSite(sites).Add(30 * Duration.Millisecond, "GET /x");

        var mine = EndpointSites.From(sites.Read())["GET /x"];
        mine.WorstToAwait!.Kind.ShouldBe(WaitKind.TaskWait);
        (mine.ShareToAwait, mine.EvidenceToAwait.Waits).ShouldBe((4 / 7.0, 2));
    }

    // Optimised code inlined Process.WaitForExit, and the two halves of its time each lost to a shorter wait.
    [Fact]
    public void WorstToAwait_IsALine_ThoughItsStacksShowTwoKinds()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var frame = s_frames.Get(HandMadeStacks.Method(typeof(WaitFinderTests), nameof(AwaitProcess)));
        foreach (var kind in new[] { WaitKind.Process, WaitKind.WaitHandle })
        {
            sites.GetOrAdd(new BlameFrame(kind, frame, 0, null), null, new StackTrace(), s_frames)
                .Add(20 * Duration.Millisecond, "GET /x");
        }

        SleepSite(sites).Add(30 * Duration.Millisecond, "GET /x");

        EndpointSites.From(sites.Read())["GET /x"].WorstToAwait!.Kind.ShouldBe(WaitKind.Process);
    }

    // The rate that await would allow was promised, although another place of the endpoint holds the database's write lock.
    [Fact]
    public void TimeOfWriters_IsThatOfPlacesWhereMostRequestsHeldTheWriteLock()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var waits = new RequestWaits(activity: null);
        var began = Timestamp.Now();
        waits.BeginWriting(began);
        waits.EndWriting(began + (40 * Duration.Millisecond));
        foreach (var site in new[] { SleepSite(sites), LockSite(sites) })
        {
            site.Add(20 * Duration.Millisecond, "GET /x");
            waits.NoteWriter(site, began + (5 * Duration.Millisecond));
        }

        // Samples are looked at later, so the time of the wait counts.
        var after = Site(sites, WaitKind.TaskWait, new StackFrame());
        after.Add(30 * Duration.Millisecond, "GET /x");
        waits.NoteWriter(after, began + (50 * Duration.Millisecond));

        EndpointSites.From(sites.Read())["GET /x"].OfWriters.ShouldBe(40 * Duration.Millisecond);
    }

    // The first requests scaled images for 15 s. The later ones waited elsewhere, for 11 ms each, and the images were named as most of it.
    [Fact]
    public void WorstToAwait_IsThatOfWarmRequests_OnceTheyHaveShownEnough()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var once = SleepSite(sites);
        once.Add(900 * Duration.Millisecond, "GET /x", isCold: true);
        once.AddFromSnapshot(
            isNew: true, 600 * Duration.Millisecond, 600 * Duration.Millisecond, "GET /x", stack: null, isCold: true);
        var always = Site(sites, WaitKind.TaskWait, new StackFrame());
        for (var i = 1; i < Evidence.WatchedRequests; i++)
        {
            always.Add(11 * Duration.Millisecond, "GET /x");
        }

        EndpointSites.From(sites.Read())["GET /x"].WorstToAwait.ShouldBe(once);

        always.Add(11 * Duration.Millisecond, "GET /x");

        var mine = EndpointSites.From(sites.Read())["GET /x"];
        mine.WorstToAwait.ShouldBe(always);
        (mine.ShareToAwait, mine.Evidence.Hits).ShouldBe((1, 0));
    }

    [Fact]
    public void WorstToAwait_IsNobody_WhereWarmRequestsWaitOnlyForALock()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        SleepSite(sites).Add(900 * Duration.Millisecond, "GET /x", isCold: true);
        SleepSite(sites).AddFromWindow(20 * Duration.Millisecond, "GET /x", stack: null, isCold: true);
        for (var i = 0; i < Evidence.WatchedRequests; i++)
        {
            LockSite(sites).Add(11 * Duration.Millisecond, "GET /x");
        }

        var mine = EndpointSites.From(sites.Read())["GET /x"];
        mine.WorstToAwait.ShouldBeNull();
        mine.PartOf(mine.InLocks).ShouldBe(1);
    }

    // EF Core timed the commands of 1,311 requests, and the hook watched a few of them. A page that spends 5 of 42 ms in SQLite was
    // "blocked, most of it inside the database provider".
    [Fact]
    public void Provider_IsNotTheCommandsOfAllRequests_NextToTheWaitsOfFew()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        LockSite(sites).Add(40 * Duration.Millisecond, "GET /x");
        var commands = ProviderSite(sites, WaitKind.EfCore);
        commands.Add(500 * Duration.Millisecond, "GET /x");

        var mine = EndpointSites.From(sites.Read())["GET /x"];
        (mine.InProvider, mine.PartBesideCommands(mine.InProvider)).ShouldBe((Duration.Zero, 0));

        ProviderSite(sites, WaitKind.SyncDb).Add(60 * Duration.Millisecond, "GET /x");
        mine = EndpointSites.From(sites.Read())["GET /x"];
        (mine.InProvider, mine.PartBesideCommands(mine.InProvider)).ShouldBe((60 * Duration.Millisecond, 0.6));
    }

    // 32 cold clients wait for the console logger's queue longer than the few requests watched later wait for anything.
    [Fact]
    public void Worst_IsNoLockOfTheFramework_ThatColdRequestsAloneWaitedFor()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var framework = HandMadeStacks.Method(typeof(HttpClient), nameof(HttpClient.CancelPendingRequests));
        var foreign = sites.GetOrAdd(
            new BlameFrame(WaitKind.Lock, HandMadeStacks.Frames.Get(framework), 1, null), null, new StackTrace(), HandMadeStacks.Frames);
        foreign.Add(100 * Duration.Millisecond, "GET /x", isCold: true);
        var own = LockSite(sites);
        own.Add(30 * Duration.Millisecond, "GET /x", isCold: true);

        // Use all of them: a framework's lock that was met only at the start isn't in any report.
        var mine = EndpointSites.From([foreign, own])["GET /x"];
        (mine.WorstLock, mine.InLocks).ShouldBe((own, 30 * Duration.Millisecond));

        foreign.Add(100 * Duration.Millisecond, "GET /x");
        EndpointSites.From([foreign, own])["GET /x"].WorstLock.ShouldBe(foreign);
    }

    [Fact]
    public void Worst_IsNobody_WhereNoSnapshotWasTaken()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        LockSite(sites).Add(1.Ns(), "GET /x");

        Finder(sites).WorstOf("GET /x", isSampled: true).ShouldBeNull();
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

        Finder(new BlockingSites(500, new AllowRules([]))).Find(segment).Seen.ShouldBe((WaitsSeen)seen);
    }

    private static WaitFinder Finder(BlockingSites sites) =>
        new(ArmingWithoutServer.Status(new AsyncProbeOptions()), new LiveWaits(), sites, new UnclaimedSites());

    // A database's commands are timed in every request, files only in the few that a window saw.
    [Fact]
    public void Provider_IsTheOneThatBlockedLongest()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        ProviderSite(sites, WaitKind.SyncDb).Add(20 * Duration.Millisecond, "GET /x");
        var file = ProviderSite(sites, WaitKind.SyncIO);
        file.Provider = SynchronousProvider.Files;
        file.AddFromWindow(60 * Duration.Millisecond, "GET /x");

        var mine = EndpointSites.From(sites.Read())["GET /x"];
        (mine.Provider, mine.InProvider, mine.WorstToAwait).ShouldBe((SynchronousProvider.Files, 80 * Duration.Millisecond, null));
    }

    private static void AwaitProcess(Process process) => process.WaitForExit();

    private static BlockingSite ProviderSite(BlockingSites sites, WaitKind kind)
    {
        var frame = s_frames.Get(HandMadeStacks.Method(typeof(WaitFinderTests), nameof(ProviderSite)));
        var site = sites.GetOrAdd(new BlameFrame(kind, frame, 1, null), null, new StackTrace(), s_frames);
        site.Provider = SynchronousProviders.Sqlite;
        return site;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static BlockingSite LockSite(BlockingSites sites) => Site(sites, WaitKind.Lock, new StackFrame());

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static BlockingSite SleepSite(BlockingSites sites) => Site(sites, WaitKind.Sleep, new StackFrame());

    private static BlockingSite Site(BlockingSites sites, WaitKind kind, StackFrame frame) =>
        sites.GetOrAdd(new BlameFrame(kind, s_frames.Get(frame)!, 0, null), null, new StackTrace(), s_frames);
}
