using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Sampling;

[Trait(Logic.Category, Logic.Name)]
public sealed class EndpointSamplingTests
{
    private const string Endpoint = "GET /x";
    private readonly EndpointSampling _sampling = new();
    private Timestamp _now = Timestamp.FromStopwatch(1);
    private Duration _unexplained;

    [Theory]
    [InlineData(40, false)]
    [InlineData(60, true)]
    public void Window_IsDue_WhenMoreThanATwentiethOfAThreadIsUnexplained(int perSecond, bool isDue)
    {
        Pass(3, perSecond);

        _sampling.IsDue(isHookLearning: false, _now).ShouldBe(isDue);
    }

    [Fact]
    public void Window_LeavesTheHookAMoment_AndWaitsLongerWhileItLearns()
    {
        Pass(2, 500);
        _sampling.IsDue(isHookLearning: false, _now).ShouldBeFalse();
        Pass(1, 500);
        _sampling.IsDue(isHookLearning: false, _now).ShouldBeTrue();
        _sampling.IsDue(isHookLearning: true, _now).ShouldBeFalse();
        Pass(4, 500);
        _sampling.IsDue(isHookLearning: true, _now).ShouldBeTrue();
    }

    [Fact]
    public void Window_IsNotDue_AfterASecondWithoutGrowth()
    {
        Pass(5, 500);
        Pass(1, 0);

        _sampling.IsDue(isHookLearning: false, _now).ShouldBeFalse();
    }

    [Fact]
    public void Window_IsDueAgainAfterMinutes_OnceThereAreEnoughHits()
    {
        var site = NewSite();
        Pass(3, 500);
        Window(site, EndpointSampling.EnoughHits - 1);
        _sampling.IsDue(isHookLearning: false, _now).ShouldBeTrue();

        Window(site, 1);
        _sampling.IsDue(isHookLearning: false, _now).ShouldBeFalse();
        Pass(179, 500);
        _sampling.IsDue(isHookLearning: false, _now).ShouldBeFalse();
        Pass(1, 500);
        _sampling.IsDue(isHookLearning: false, _now).ShouldBeTrue();
    }

    [Theory]
    [InlineData(250, 19, true)]
    [InlineData(250, 59, false)]
    [InlineData(25, 19, false)]
    public void Window_IsDueAgain_WhileOneWaitOutweighsTheOthers(int longestMs, int others, bool isDue)
    {
        Pass(3, 500);
        _sampling.Hit(NewSite(), Duration.FromMilliseconds(longestMs));

        Window(NewSite(), others);

        _sampling.IsDue(isHookLearning: false, _now).ShouldBe(isDue);
    }

    [Fact]
    public void Window_IsGivenUpForMinutes_WhenNothingIsEverSeen()
    {
        Pass(3, 500);
        for (var i = 0; i < 5; i++)
        {
            _sampling.IsDue(isHookLearning: false, _now).ShouldBeTrue();
            Window(NewSite(), 0);
        }

        _sampling.IsDue(isHookLearning: false, _now).ShouldBeFalse();
        Pass(180, 500);
        _sampling.IsDue(isHookLearning: false, _now).ShouldBeTrue();
    }

    [Fact]
    public void Share_GoesByWhatWasSeen_AndTakesNothingBack()
    {
        var (sleep, file) = (NewSite(), NewSite(WaitKind.SyncIO));
        Window(sleep, 5);
        Share(Duration.FromMilliseconds(100));
        (sleep.Total).TotalMilliseconds.ShouldBe(150, 0.001);

        // The file is seen late. The other place keeps its time, and new time brings the ratio right.
        Window(file, 5);
        Share(Duration.FromMilliseconds(200));

        (sleep.Total).TotalMilliseconds.ShouldBe(200, 0.001);
        (file.Total).TotalMilliseconds.ShouldBe(200, 0.001);
        Share(Duration.FromMilliseconds(10));
        (sleep.Total + file.Total).TotalMilliseconds.ShouldBe(410, 0.001);
        sleep.Shared.ShouldBe(sleep.Total - Duration.FromMilliseconds(50));
    }

    // One hit of 28 ms once became 8.6 s.
    [Fact]
    public void SiteWithFewHits_GetsNoShare_AndNobodyElseGetsItsPart()
    {
        var (sleep, rare) = (NewSite(), NewSite(WaitKind.SyncIO));
        Window(sleep, 15);
        Window(rare, 1);

        Share(Duration.FromMilliseconds(160));

        sleep.Total.TotalMilliseconds.ShouldBe(300, 0.001);
        rare.Total.TotalMilliseconds.ShouldBe(10, 0.001);
    }

    [Fact]
    public void Change_Shows_AfterTheNextLook()
    {
        var (before, after) = (NewSite(), NewSite(WaitKind.SyncIO));
        Pass(3, 500);
        Window(before, 40);
        Pass(180, 500);
        _sampling.Begin(_now);
        Window(after, 60);

        var time = new BlockedTime(Endpoint, 1000 * Duration.Second, Duration.Zero, 1000 * Duration.Second);
        var parts = _sampling.Share([], time).ToDictionary(p => p.Site, p => p.Part);

        parts[after].RatioTo(parts[before]).ShouldBeGreaterThan(2.5);
    }

    private static BlockingSite NewSite(WaitKind kind = WaitKind.Sleep) => new(kind, null, null, [], null);

    private void Pass(int seconds, int blockedMsPerSecond)
    {
        for (var i = 0; i < seconds; i++)
        {
            _now += Duration.Second;
            _unexplained += Duration.FromMilliseconds(blockedMsPerSecond);
            _sampling.Update(_unexplained, _unexplained, explained: 0, _now);
        }
    }

    private void Window(BlockingSite site, int hits)
    {
        for (var i = 0; i < hits; i++)
        {
            _sampling.Hit(site, Duration.FromMilliseconds(10));
            site.AddFromWindow(Duration.FromMilliseconds(10), Endpoint);
        }

        _sampling.End(hits > 0, _now);
    }

    private void Share(Duration blocked)
    {
        foreach (var (site, part) in _sampling.Share([], new BlockedTime(Endpoint, blocked, Duration.Zero, 1000 * Duration.Second)))
        {
            site.AddShare(part, Endpoint);
        }
    }
}
