using System.Diagnostics;
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

    private static void AddWait(BlockingSites sites) =>
        sites.GetOrAdd(new BlameFrame(WaitKind.TaskWait, s_frames.Get(new StackFrame())!, 0, null), null, new StackTrace(), s_frames)
            .Add(20 * Nanoseconds.PerMillisecond, "GET /x");
}
