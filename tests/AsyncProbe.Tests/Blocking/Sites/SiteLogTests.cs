using System.Diagnostics;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Sites;

public sealed class SiteLogTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(SiteLogTests).Assembly.GetName().Name!]));

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 2)]
    public void Site_IsToldUnlessADebuggerIsAttached(bool isDebugged, int lines)
    {
        var said = new LogLines();
        var sites = new BlockingSites(500, new AllowRules([]));
        var log = new SiteLog(sites, maxWarningsPerHour: 100, said, () => isDebugged);

        AddWait(sites);
        log.LogNew();
        AddWait(sites);
        log.LogRepeats();

        said.All.Count().ShouldBe(lines);
    }

    // It warned about lines that the report leaves out.
    [Fact]
    public void Site_IsNotTold_WhenItHasNoRow()
    {
        var said = new LogLines();
        var sites = new BlockingSites(500, new AllowRules([]));
        var log = new SiteLog(sites, maxWarningsPerHour: 100, said, () => false);
        var site = sites.GetOrAdd(
            new BlameFrame(WaitKind.EfCore, s_frames.Get(new StackFrame())!, 0, null), null, new StackTrace(), s_frames);
        site.Provider = SynchronousProviders.Sqlite;

        site.Add(5 * Duration.Millisecond, "GET /x");
        log.LogNew();
        said.All.ShouldBeEmpty();

        site.Add(150 * Duration.Millisecond, "GET /x");
        log.LogRepeats();
        said.All.ShouldHaveSingleItem();
    }

    [Fact]
    public void Site_IsToldWithItsFiguresAsNumbers()
    {
        var said = new LogLines();
        var sites = new BlockingSites(500, new AllowRules([]));
        var log = new SiteLog(sites, maxWarningsPerHour: 100, said, () => false);

        AddWait(sites);
        log.LogNew();
        AddWait(sites);
        log.LogRepeats();

        said.Values.First()["BlockedMs"].ShouldBe(20.0);
        said.Values.Last()["Count"].ShouldBe(2L);
        said.Values.Last()["TotalMs"].ShouldBe(40.0);
    }

    [Fact]
    public void Site_IsToldWithItsEndpoint_ThoughItIsSeenBeforeItsFirstWaitIsCounted()
    {
        var said = new LogLines();
        var sites = new BlockingSites(500, new AllowRules([]));
        var log = new SiteLog(sites, maxWarningsPerHour: 100, said, () => false);
        var site = sites.GetOrAdd(
            new BlameFrame(WaitKind.TaskWait, s_frames.Get(new StackFrame())!, 0, null), null, new StackTrace(), s_frames);

        log.LogNew();
        said.All.ShouldBeEmpty();
        site.Add(20 * Duration.Millisecond, "GET /x");
        log.LogRepeats();

        said.All.ShouldHaveSingleItem().ToString()!.ShouldContain("GET /x");
    }

    [Fact]
    public void Lock_ThatMayBeOfTheStart_IsHeldBackUntilItIsMetLater()
    {
        var said = new LogLines();
        var sites = new BlockingSites(500, new AllowRules([]));
        var log = new SiteLog(sites, maxWarningsPerHour: 100, said, () => false);
        var once = sites.GetOrAdd(
            new BlameFrame(WaitKind.Lock, s_frames.Get(new StackFrame())!, 0, null), null, new StackTrace(), s_frames);
        var statement = new BlameFrame(WaitKind.Lock, s_frames.Get(new StackFrame())!, 1, null)
        {
            Call = s_frames.Get(typeof(Monitor).GetMethod(nameof(Monitor.Exit))!),
        };

        once.Add(20 * Duration.Millisecond, "GET /once");
        once.MayBeOneTime.ShouldBeTrue();
        sites.GetOrAdd(statement, null, new StackTrace(), s_frames).Add(20 * Duration.Millisecond, "GET /lasting");
        log.LogNew();
        log.LogRepeats();

        said.All.ShouldHaveSingleItem("a lock statement of the application's is no matter of its start")
            .ToString()!.ShouldContain("GET /lasting");
    }

    [Theory]
    [InlineData(1, 20, false)]
    [InlineData(4, 20, false)]
    [InlineData(5, 20, true)]
    [InlineData(1, 1000, true)]
    public void SampledSite_IsToldOnceItsHitsSayEnough(int hits, int longestMs, bool isTold)
    {
        var said = new LogLines();
        var sites = new BlockingSites(500, new AllowRules([]));
        var log = new SiteLog(sites, maxWarningsPerHour: 100, said, () => false);
        var site = sites.GetOrAdd(
            new BlameFrame(WaitKind.Sleep, s_frames.Get(new StackFrame())!, 0, null), null, new StackTrace(), s_frames);
        for (var hit = 0; hit < hits; hit++)
        {
            site.AddFromWindow(longestMs * Duration.Millisecond, "GET /x");
        }

        log.LogNew();
        log.LogRepeats();

        said.All.Any().ShouldBe(isTold);
    }

    // A full list of sites that were never due kept every later site out of the log.
    [Fact]
    public void SampledSite_IsTold_HoweverManyAResetHasRemovedUntold()
    {
        var said = new LogLines();
        var sites = new BlockingSites(5000, new AllowRules([]));
        var log = new SiteLog(sites, maxWarningsPerHour: 100, said, () => false);
        for (var i = 0; i < 1500; i++)
        {
            Hit(i);
        }

        log.LogNew();
        sites.Reset();
        Hit(0);
        log.LogNew();
        for (var hit = 0; hit < 5; hit++)
        {
            Hit(0);
        }

        log.LogRepeats();
        said.All.ShouldHaveSingleItem();

        void Hit(int ilOffset) => sites.GetOrAdd(
            new BlameFrame(WaitKind.Sleep, s_frames.Get(new StackFrame())!, ilOffset, null), null, new StackTrace(), s_frames)
            .AddFromWindow(20 * Duration.Millisecond, "GET /x");
    }

    private static void AddWait(BlockingSites sites) =>
        sites.GetOrAdd(new BlameFrame(WaitKind.TaskWait, s_frames.Get(new StackFrame())!, 0, null), null, new StackTrace(), s_frames)
            .Add(20 * Duration.Millisecond, "GET /x");
}
