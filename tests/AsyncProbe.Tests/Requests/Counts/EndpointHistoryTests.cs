using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Requests.Counts;

/// <summary>Which of an endpoint's requests its verdict is based on.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class EndpointHistoryTests
{
    private static Duration Ms => Duration.Millisecond;

    private static readonly PoolInterval s_pool = new(MostThreads: 4, QueueDelay: Duration.Zero);

    private readonly EndpointTotals _totals = new("GET /orders", "/orders", "GET");

    [Fact]
    public void Window_LeavesColdRequestsOut_TheirDurationsToo()
    {
        End(5, held: 0, duration: 300);
        End(10, held: 1, duration: 2);

        var sum = Read().Sum;

        sum.Requests.ShouldBe(10);
        sum.Mean.Held.ShouldBe(Ms);
        sum.MeanDuration.ShouldBe(2 * Ms);
    }

    [Fact]
    public void Window_KnowsHowLongItsOwnRequestsWereBlockedWhileACollectionPausedTheProcess()
    {
        var split = new HeldSplit(20 * Ms, Ms, default, Ms, 18 * Ms) { BlockedInGc = 12 * Ms };
        for (var i = 0; i < 5 + 10; i++)
        {
            _totals.Begin();
            _totals.End(split, split, segments: 1, 20 * Ms, RequestOutcome.None);
        }

        Read().Sum.Mean.ShouldBe(split);
    }

    [Fact]
    public void Window_KnowsTheIntervalInWhichThePoolWasCalmest()
    {
        End(5, held: 1, duration: 1);
        foreach (var delayMs in (long[])[40, 2, 90])
        {
            End(10, held: 1, duration: 100 + delayMs);
            _totals.Counts.CloseInterval(s_pool with { QueueDelay = delayMs * Ms });
        }

        var window = Read();

        (window.Calm.Requests, window.Calm.MeanDuration).ShouldBe((10, 102 * Ms));
        window.CalmQueueDelay.TotalMilliseconds.ShouldBe(2, 0.001);
    }

    // 154,000 fast requests once permanently hid that every later one blocked.
    [Fact]
    public void Window_HoldsTheLastSecondsOnly_WhenTheEndpointHasChanged()
    {
        for (var interval = 0; interval < 20; interval++)
        {
            End(8000, held: 0.1, duration: 0.1);
            Close();
        }

        for (var interval = 0; interval < 3; interval++)
        {
            End(250, blocked: 20, duration: 20);
            Close();
        }

        var window = Read();

        window.HasChanged.ShouldBeTrue();
        window.Sum.Mean.Blocked.ShouldBe(20 * Ms);
        _totals.Read(s_pool).Sum.Requests.ShouldBe(160_750, "the totals are those of its life");
    }

    // "Based on its last 40,947 requests; earlier ones were different" left out 16 requests.
    [Theory]
    [InlineData(20, false)]
    [InlineData(200, true)]
    public void Change_IsSaid_OnlyIfManyRequestsWereDifferent(int earlier, bool isSaid)
    {
        End(5 + earlier, blocked: 200, duration: 200);
        Close();
        for (var interval = 0; interval < 2; interval++)
        {
            End(250, blocked: 20, duration: 20);
            Close();
        }

        var window = Read();

        (window.HasChanged, window.Sum.Mean.Blocked).ShouldBe((isSaid, 20 * Ms));
    }

    // A few requests of one kind, under the row of all unknown addresses, passed for a change in the others.
    [Fact]
    public void Window_HoldsAllMinutes_WhenARowCollectsRequestsThatHaveNothingInCommon()
    {
        var unmatched = new EndpointTotals(RowNames.Unmatched, route: null, "GET");
        foreach (var (requests, blocked) in (ReadOnlySpan<(int, int)>)[(805, 0), (250, 20), (250, 20), (250, 20)])
        {
            End(unmatched, requests, blocked);
            unmatched.Counts.CloseInterval(s_pool);
        }

        var window = unmatched.Read(s_pool).Window;

        (window.HasChanged, window.Sum.Requests).ShouldBe((false, 1550));
    }

    [Theory]
    [InlineData(100)]
    [InlineData(20)]
    public void Window_HoldsAllMinutes_WhenASlowRequestIsRare(int oneIn)
    {
        var windows = new List<EndpointWindow>();
        for (var request = 0; request < 2400; request++)
        {
            End(1, blocked: request % oneIn == 0 ? 2000 : 0, duration: request % oneIn == 0 ? 2002 : 2);
            if (request % 100 == 99)
            {
                Close();
                windows.Add(Read());
            }
        }

        windows.ShouldAllBe(w => !w.HasChanged);
        windows[^1].Sum.Requests.ShouldBe(2395);
    }

    [Fact]
    public void Window_ForgetsWhatIsOlderThanTwoBusyMinutes()
    {
        End(105, blocked: 50, duration: 50);
        Close();
        for (var interval = 0; interval <= EndpointHistory.Intervals; interval++)
        {
            End(10, blocked: 51, duration: 51);
            Close();
        }

        var sum = Read().Sum;

        sum.Requests.ShouldBe(10 * EndpointHistory.Intervals);
        sum.Mean.Blocked.ShouldBe(51 * Ms);
    }

    // The factor once went from ×388 to ×311 to ×517 while nothing happened.
    [Fact]
    public void Window_StaysAsItIs_WhileTheEndpointIsIdle()
    {
        End(100, blocked: 50, duration: 50);
        _totals.Counts.CloseInterval(s_pool with { MostThreads = 7 });
        var before = Read();

        for (var interval = 0; interval < 100; interval++)
        {
            _totals.Counts.CloseInterval(s_pool with { MostThreads = 3 + (interval % 20) });
        }

        _totals.Read(s_pool with { MostThreads = 40 }).Window.ShouldBe(before);
        before.MostThreads.ShouldBe(7);
    }

    [Fact]
    public void Threads_AreTheMostThatThePoolHad_WhileTheEndpointWasBusy()
    {
        foreach (var threads in (int[])[3, 12, 5])
        {
            End(10, blocked: 50, duration: 50);
            _totals.Counts.CloseInterval(s_pool with { MostThreads = threads });
        }

        Read().MostThreads.ShouldBe(12);
        End(1, blocked: 50, duration: 50);
        _totals.Read(s_pool with { MostThreads = 14 }).Window.MostThreads.ShouldBe(14);
    }

    [Fact]
    public void QueueDelay_IsTheMeanOverTheRequests()
    {
        End(15, held: 1, duration: 2);
        _totals.Counts.CloseInterval(s_pool with { QueueDelay = 4 * Ms });
        End(30, held: 1, duration: 2);
        _totals.Counts.CloseInterval(s_pool with { QueueDelay = Ms });

        Read().QueueDelay.ShouldBe(((10 * 4) + (30 * 1)) * Ms / 40);
    }

    [Fact]
    public void Cold_AreTheFirstToEnd_AndThoseThatBeganBesideThem()
    {
        var totals = new EndpointTotals("GET /burst", "/burst", "GET");
        for (var i = 1; i <= 32; i++)
        {
            // All of them began at once, and they end one after another.
            End(endedAt: Moment.At(i * Ms), duration: i * Ms, blocked: 10);
        }

        totals.Read(s_pool).Window.Sum.Requests.ShouldBe(0);
        End(endedAt: Moment.At(40 * Ms), duration: 2 * Ms, blocked: 0);
        totals.Read(s_pool).Window.Sum.ShouldSatisfyAllConditions(s => s.Requests.ShouldBe(1), s => s.Mean.Blocked.ShouldBe(Duration.Zero));

        void End(Timestamp endedAt, Duration duration, long blocked)
        {
            var split = new HeldSplit(blocked * Ms, default, default, default, blocked * Ms);
            totals.Begin();
            totals.End(split, split, 1, duration, RequestOutcome.None, endedAt: endedAt);
        }
    }

    [Fact]
    public void Allowed_IsAllThatAnEndpointWithTheAttributeIsBlocked()
    {
        var totals = new EndpointTotals("GET /orders", "/orders", "GET") { AllowReason = "legacy" };
        for (var i = 0; i < 10; i++)
        {
            totals.Begin();
            totals.End(
                new HeldSplit(20 * Ms, default, default, default, 20 * Ms), new HeldSplit(20 * Ms, default, default, default, 20 * Ms), 1,
                20 * Ms, RequestOutcome.None);
        }

        totals.Read(s_pool).Window.Sum.MeanAllowed.ShouldBe(20 * Ms);
    }

    private void End(int requests, double held = 0, double blocked = 0, double duration = 0) =>
        End(_totals, requests, blocked, held, duration);

    private static void End(EndpointTotals totals, int requests, double blocked, double held = 0, double duration = 0)
    {
        var split = new HeldSplit((held + blocked) * Ms, held * Ms, default, default, blocked * Ms);
        for (var i = 0; i < requests; i++)
        {
            totals.Begin();
            totals.End(split, split, segments: 1, duration * Ms, RequestOutcome.None);
        }
    }

    private void Close() => _totals.Counts.CloseInterval(s_pool);

    private EndpointWindow Read() => _totals.Read(s_pool).Window;
}
