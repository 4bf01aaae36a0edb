using System.Diagnostics;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Sites;

public sealed class BlockingSitesTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(BlockingSitesTests).Assembly.GetName().Name!]));

    [Fact]
    public void Table_StaysBounded_ForTenThousandSites()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var here = s_frames.Get(new StackFrame())!;
        var stack = new StackTrace();

        for (var i = 0; i < 10_000; i++)
        {
            sites.GetOrAdd(new BlameFrame(WaitKind.TaskWait, here, i, null), null, stack, s_frames).Add(1.Ns(), "GET /x");
        }

        var rows = sites.Read();
        rows.Count.ShouldBe(501);
        rows[^1].Kind.ShouldBe(WaitKind.Other);
        rows[^1].Count.ShouldBe(9500);
        sites.Overflowed.ShouldBe(9500);
    }

    // One hit of 3 ms accused a native function that only reads a field.
    [Theory]
    [InlineData(1, 3, false)]
    [InlineData(1, 60, true)]
    [InlineData(2, 3, true)]
    public void Site_HasNoRow_WhenOneShortHitOfAWindowIsAllThatIsKnown(int hits, int ms, bool isReported)
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var blame = new BlameFrame(WaitKind.Native, s_frames.Get(new StackFrame())!, 0, null);
        var site = sites.GetOrAdd(blame, null, new StackTrace(), s_frames);

        for (var i = 0; i < hits; i++)
        {
            site.AddFromWindow(ms * Duration.Millisecond, "GET /x");
        }

        sites.Read().Any().ShouldBe(isReported);
    }

    // Two commands of 5 ms in SQLite, without any writer: the runtime lets a thread sleep for 5 ms when a collection begins.
    [Theory]
    [InlineData(2, 5, false)]
    [InlineData(2, 150, true)]
    [InlineData(3, 5, true)]
    public void Site_HasNoRow_WhenAFewShortCommandsAreAllThatIsKnown(int commands, int ms, bool isReported)
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var blame = new BlameFrame(WaitKind.EfCore, s_frames.Get(new StackFrame())!, 0, null);
        var site = sites.GetOrAdd(blame, null, new StackTrace(), s_frames);
        site.Provider = SynchronousProviders.Sqlite;

        for (var i = 0; i < commands; i++)
        {
            site.Add(ms * Duration.Millisecond, "GET /x");
        }

        sites.Read().Any().ShouldBe(isReported);
    }

    [Fact]
    public void Site_KeepsItsTotals_WhenManyThreadsAddAtOnce()
    {
        var sites = new BlockingSites(500, new AllowRules([]));
        var blame = new BlameFrame(WaitKind.Lock, s_frames.Get(new StackFrame())!, 0, null);
        var stack = new StackTrace();

        Parallel.For(0, 10_000, i => sites.GetOrAdd(blame, null, stack, s_frames).Add(i.Ns(), $"GET /{i % 200}"));

        var site = sites.Read().ShouldHaveSingleItem();
        site.Count.ShouldBe(10_000);
        site.Total.ShouldBe((10_000L * 9_999 / 2).Ns());
        site.Max.ShouldBe(9_999.Ns());
        site.Endpoints.Sum(e => e.Value.Count).ShouldBe(10_000);
        site.Endpoints.Count().ShouldBeLessThan(120);
    }

    [Fact]
    public void Site_CountsEndpointsWithoutRoom_ApartFromTheTablesOtherRow()
    {
        var site = new BlockingSite(WaitKind.Lock, at: null, via: null, stack: [], allowed: null);
        site.Add(Duration.Millisecond, "(other)");

        for (var i = 0; i < 200; i++)
        {
            site.Add(Duration.Millisecond, $"GET /{i}");
        }

        site.Find("(other)")!.Count.ShouldBe(1);
        site.Endpoints.Count().ShouldBeLessThan(120);
    }
}
