using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

/// <summary>Which figures and places the advice has, and when. <see cref="AdviceTextsTests"/> has the whole sentences.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class AdviceTests
{
    private static Duration Ms => Duration.Millisecond;

    private static readonly HeldSplit s_blocked = new(210 * Ms, 8 * Ms, Duration.Zero, 2 * Ms, 200 * Ms);

    [Fact]
    public void AsyncWillHelp_SaysWhereAndWhatItBuys()
    {
        var ceiling = Ceiling.Create(s_blocked, 200 * Ms, Duration.Zero, threads: 5, cores: 2);
        var text = Write(
            Verdict.AsyncWillHelp, AdviceCases.State(s_blocked) with { Ceiling = ceiling, Worst = AdviceCases.Site(WaitKind.TaskWait) });

        foreach (var part in (string[])["210 ms", "200 ms", "Task.Wait", "await", "from 23 to about 250", "×11 at 5 threads"])
        {
            text.ShouldContain(part);
        }
    }

    // The longest of 82 waits can't be shorter than their mean: the rest of the time is that of requests which wait for less than counts.
    [Theory]
    [InlineData(1, "188 ms")]
    [InlineData(0.5, "Each request")]
    public void FewAreBlocked_IsSaid_OnlyIfTheirTimesAddUp(double squares, string part)
    {
        var mean = new HeldSplit(5 * Ms, Ms / 2, default, default, 4 * Ms);
        var few = AdviceCases.State(mean, requests: 3864, blocking: 82);

        Write(Verdict.AsyncWillHelp, few with { BlockedSquares = few.BlockedSquares * squares }).ShouldContain(part);
    }

    [Theory]
    [InlineData(10, "Each request")]
    [InlineData(9, "9 of 20 requests were blocked")]
    public void FewAreBlocked_IsSaid_OnlyOfLessThanHalf(long blocking, string part) =>
        Write(Verdict.LockContention, AdviceCases.State(new HeldSplit(5 * Ms, Ms / 2, default, default, 4 * Ms), requests: 20, blocking: blocking))
            .ShouldStartWith(part);

    [Theory]
    [InlineData(120, "a pool thread")]
    [InlineData(121, "several pool threads")]
    public void SeveralThreads_AreHeld_OnlyForMoreThanWhatMayFollowTheResponse(long held, string part) =>
        Write(Verdict.AsyncWillHelp, AdviceCases.State(new HeldSplit(held * Ms, Ms, default, default, (held - 1) * Ms), duration: 100 * Ms))
            .ShouldContain(part);

    [Theory]
    [InlineData(100, "100 ms of it at")]
    [InlineData(101, "most of it at")]
    public void Most_IsSaid_OnlyOfMoreThanHalf(long locks, string part)
    {
        var state = AdviceCases.State(s_blocked);

        Write(Verdict.LockContention, state with { Parts = state.Parts with { Locks = locks * Ms } }).ShouldContain(part);
    }

    [Theory]
    [InlineData(5.0, false)]
    [InlineData(5.1, true)]
    public void CpuBound_NamesCollections_OnlyIfTheyAreMoreThanATwentieth(double gc, bool expected) =>
        Write(Verdict.CpuBound, AdviceCases.State(new HeldSplit(100 * Ms, (100 - gc) * Ms, default, gc * Ms, default)))
            .Contains("garbage collection", StringComparison.Ordinal).ShouldBe(expected);

    // From one millisecond on, a part is worth its words.
    [Theory]
    [InlineData(1.0, true)]
    [InlineData(0.99, false)]
    public void Parts_AreNamed_FromAMillisecondOn(double part, bool expected)
    {
        var mean = new HeldSplit(60 * Ms, 40 * Ms, default, default, (10 + part) * Ms);
        var ceiling = new Ceiling(4, new Rate(100, 100), new Rate(120, 120));
        var locked = AdviceCases.State(mean) with
        {
            Parts = new BlockedParts(mean.Blocked, Duration.Zero, Locks: 10 * Ms, Provider: Duration.Zero),
            Worst = AdviceCases.Site(WaitKind.TaskWait), Ceiling = ceiling,
        };
        var allowing = AdviceCases.State(mean, allowed: part * Ms);
        var oneElsewhere = AdviceCases.State(
            new HeldSplit((3.2 + part) * Ms, 0.2 * Ms, default, default, (3 + part) * Ms), requests: 20, allowed: part * Ms, blocking: 1);

        Write(Verdict.LockContention, locked).Contains("can be awaited", StringComparison.Ordinal).ShouldBe(expected);
        Write(Verdict.CpuBound, locked).Contains("hardly raise", StringComparison.Ordinal).ShouldBe(expected);
        Write(Verdict.AsyncWillHelp, allowing).Contains("where blocking is allowed", StringComparison.Ordinal).ShouldBe(expected);
        Write(Verdict.Fine, oneElsewhere).Contains("where blocking isn't allowed", StringComparison.Ordinal).ShouldBe(expected);
    }

    [Theory]
    [InlineData(115, "rises from")]
    [InlineData(114, "hardly rises")]
    public void AsyncWillHelp_NamesARate_OnlyIfItRisesByFifteenPercent(double then, string part) =>
        Write(Verdict.AsyncWillHelp, AdviceCases.State(s_blocked) with { Ceiling = new Ceiling(4, new Rate(100, 100), new Rate(then, then)) })
            .ShouldContain(part);

    // A factor of "up to" read like a promise: it once said ×1121 at 3 threads.
    [Theory]
    [InlineData(0.7, true)]
    [InlineData(0.05, false)]
    public void AsyncWillHelp_GivesNoFactor_WhenLittleCpuRemains(double cpuMs, bool hasLimit)
    {
        var mean = new HeldSplit(200 * Ms, cpuMs * Ms, default, default, 199 * Ms);

        var text = Write(Verdict.AsyncWillHelp, AdviceCases.State(mean) with
        {
            Ceiling = Ceiling.Create(mean, mean.Blocked, Duration.Zero, threads: 4, cores: 2),
        });

        text.ShouldContain("20 requests a second");
        text.ShouldContain("4 threads");
        text.Contains("2,900", StringComparison.Ordinal).ShouldBe(hasLimit);
        text.ShouldNotContain("×");
    }

    // The pool had grown to 227 threads, so the cores were the limit either way. It said "from 10,000 to up to 10,000 (×1)".
    [Fact]
    public void AsyncWillHelp_PromisesNoRate_WhenThereWereThreadsEnoughToWasteThem()
    {
        var mean = new HeldSplit(21 * Ms, Ms / 2, default, default, 20 * Ms);

        var text = Write(Verdict.AsyncWillHelp, AdviceCases.State(mean) with
        {
            Ceiling = Ceiling.Create(mean, mean.Blocked, Duration.Zero, threads: 2000, cores: 2),
        });

        text.ShouldContain("2,000 threads");
        text.ShouldNotContain("a second");
    }

    [Theory]
    [InlineData(nameof(WaitsSeen.NothingFound), true, WaitsSeenTexts.Unknown)]
    [InlineData(nameof(WaitsSeen.NotLooked), true, WaitsSeenTexts.NotLooked)]
    [InlineData(nameof(WaitsSeen.NotLooked), false, WaitsSeenTexts.DetectionIsOff)]
    public void AsyncWillHelp_SaysWhetherAnythingHasLooked_WhenNoSiteWasSeen(string seen, bool willLook, string expected)
    {
        var state = AdviceCases.State(s_blocked) with { Seen = Enum.Parse<WaitsSeen>(seen), WillLook = willLook };

        Write(Verdict.AsyncWillHelp, state).ShouldContain(expected);
    }

    [Theory]
    [InlineData(nameof(WaitsSeen.NothingFound), false, true)]
    [InlineData(nameof(WaitsSeen.NothingFound), true, false)]
    [InlineData(nameof(WaitsSeen.NotLooked), false, false)]
    public void AsyncWillHelp_PointsToTheAddOn_OnlyWhereItWouldHelp(string seen, bool hasSnapshots, bool expected) =>
        Write(Verdict.AsyncWillHelp, AdviceCases.State(s_blocked) with { Seen = Enum.Parse<WaitsSeen>(seen), HasSnapshots = hasSnapshots })
            .Contains("AsyncProbe.StackSnapshots", StringComparison.Ordinal).ShouldBe(expected);

    [Theory]
    [InlineData(null, 10.0)]
    [InlineData(10.0, null)]
    [InlineData(0.0, 10.0)]
    public void AsyncWillHelp_PromisesNoFigure_WhenThereIsNone(double? now, double? then)
    {
        var state = AdviceCases.State(s_blocked);

        Write(Verdict.AsyncWillHelp, state with { Ceiling = new Ceiling(4, new Rate(now, now), new Rate(then, then)) })
            .ShouldBe(Write(Verdict.AsyncWillHelp, state));
    }

    [Fact]
    public void AsyncWillHelp_PromisesNoRate_WhereALimitStays()
    {
        var ceiling = Ceiling.Create(s_blocked, 200 * Ms, Duration.Zero, threads: 5, cores: 2);
        var place = new WaitPlace("Shop.Pay") { Limit = "the semaphore", Instead = "WaitAsync" };

        var text = Write(Verdict.AsyncWillHelp, AdviceCases.State(s_blocked) with { Ceiling = ceiling, Worst = place });

        text.ShouldContain("Shop.Pay");
        text.ShouldContain("WaitAsync");
        text.ShouldContain("the semaphore");
        text.ShouldNotContain("a second");
    }

    // A locked database was once named as the limit of requests that waited for it for 0.4 of 80 ms, and instead of their own semaphore.
    [Theory]
    [InlineData(0.4, null, false)]
    [InlineData(60, null, true)]
    [InlineData(60, "the semaphore", false)]
    public void AsyncWillHelp_NamesTheDatabaseAsTheLimit_OnlyIfRequestsWaitForIt_AndNothingNearerLimitsThem(
        double provider, string? limit, bool isNamed)
    {
        var state = AdviceCases.State(s_blocked);

        Write(Verdict.AsyncWillHelp, state with
        {
            Parts = state.Parts with { Provider = provider * Ms },
            IsProviderBusy = true,
            Worst = new WaitPlace("Shop.Pay") { Limit = limit },
        }).Contains("one write at a time", StringComparison.Ordinal).ShouldBe(isNamed);
    }

    // Requests that hold the write lock for 5 ms each were promised 470 a second.
    [Theory]
    [InlineData(5, true)]
    [InlineData(1, false)]
    public void AsyncWillHelp_NamesTheDatabaseAsTheLimit_IfThePredictedRateNeedsItForLongerThanThereIs(int asWriter, bool isNamed)
    {
        var mean = new HeldSplit(45 * Ms, 4 * Ms, default, default, 41 * Ms);

        Write(Verdict.AsyncWillHelp, AdviceCases.State(mean) with
        {
            Worst = new WaitPlace("Shop.Pay"),
            BlockedAsWriter = asWriter * Ms,
            Ceiling = Ceiling.Create(mean, 41 * Ms, Duration.Zero, threads: 15, cores: 2),
        }).Contains("one write at a time", StringComparison.Ordinal).ShouldBe(isNamed);
    }

    // It promised the thread for 94 ms, but await frees it for only 53 of them.
    [Fact]
    public void AsyncWillHelp_LeavesOutTheTimeThatAwaitDoesNotFree()
    {
        var state = AdviceCases.State(new HeldSplit(100 * Ms, 6 * Ms, default, default, 94 * Ms));

        var text = Write(Verdict.AsyncWillHelp, state with
        {
            Parts = state.Parts with { Provider = 30 * Ms, Locks = 11 * Ms },
            Provider = SynchronousProvider.Database("Microsoft.Data.Sqlite"),
            Worst = new WaitPlace("Shop.Pay") { Limit = "the semaphore" },
        });

        text.ShouldContain("(30 ms of it inside");
        text.ShouldContain("free for 53 ms");
    }

    [Theory]
    [InlineData(50.0, false)]
    [InlineData(50.1, true)]
    public void CpuBound_SaysWhatWaitsForACore_OnlyWhenItIsMoreThanHalf(double cpuWait, bool expected) =>
        Write(Verdict.CpuBound, AdviceCases.State(new HeldSplit(100 * Ms, (100 - cpuWait) * Ms, cpuWait * Ms, default, default)))
            .Contains("for a core", StringComparison.Ordinal).ShouldBe(expected);

    // It said "3 ms of the 57 ms held is CPU work", and nothing about the other 54.
    [Fact]
    public void CpuBound_GivesEveryLargePart_WhenTheThreadMostlyWaitsForACore()
    {
        var text = Write(Verdict.CpuBound, AdviceCases.State(new HeldSplit(57 * Ms, 3 * Ms, 50 * Ms, default, 4 * Ms)) with
        {
            Ceiling = new Ceiling(4, new Rate(470, 500), new Rate(470, 500)),
        });

        foreach (var part in (string[])["57 ms", "50 ms", "3 ms", "4 ms", "470 requests a second", "4 threads"])
        {
            text.ShouldContain(part);
        }
    }

    // The sentence was once that of "fine", and said nothing about the work.
    [Fact]
    public void CpuBound_SaysWhatIsWork_WhenTheRestMayBeWaitsForCollections()
    {
        var text = Write(Verdict.CpuBound, AdviceCases.Unclear(AdviceCases.Collecting));

        foreach (var part in (string[])["47 ms", "34 ms", "40 ms", "6 ms is CPU work"])
        {
            text.ShouldContain(part);
        }
    }

    // From one millisecond up, and from half of the held time up. A crowd that takes the cores doesn't hide them.
    [Theory]
    [InlineData(1, 0, 1, true)]
    [InlineData(1, 0, 0.99, false)]
    [InlineData(20, 0, 10, true)]
    [InlineData(20, 0, 9.9, false)]
    [InlineData(0.5, 0, 0.4, false)]
    [InlineData(42, 22, 20, true)]
    public void Fine_NamesTheAllowedWaits_WhereTheyAreHalfOfIt(double heldMs, double cpuWaitMs, double allowedMs, bool expected)
    {
        var mean = new HeldSplit(heldMs * Ms, 0.1 * Ms, cpuWaitMs * Ms, default, allowedMs * Ms);

        Write(Verdict.Fine, AdviceCases.State(mean, allowed: allowedMs * Ms) with { AllowedReason = "start-up cache" })
            .Contains("(start-up cache)", StringComparison.Ordinal).ShouldBe(expected);
    }

    [Fact]
    public void Advice_SaysThatOneRequestDidIt_UnlessItIsAccused()
    {
        var one = AdviceCases.State(new HeldSplit(13.2 * Ms, 0.2 * Ms, default, default, 13 * Ms), requests: 20, allowed: 10 * Ms, blocking: 1);
        var several = AdviceCases.State(new HeldSplit(3.2 * Ms, 0.2 * Ms, default, default, 3 * Ms), requests: 20, blocking: 2);

        const string OfOne = "accounts for most of the 60 ms";
        foreach (var verdict in (Verdict[])[Verdict.Fine, Verdict.CpuBound, Verdict.AlreadyAsync])
        {
            Write(verdict, one).ShouldContain(OfOne);
            Write(verdict, several).ShouldNotContain(OfOne);
        }

        Write(Verdict.AsyncWillHelp, one).ShouldNotContain(OfOne);
    }

    [Fact]
    public void Collecting_SaysWhatIsMissing_OfRequestsAndOperations()
    {
        var collecting = AdviceCases.State(s_blocked, requests: 2);
        var needed = Verdicts.RequestsNeeded;

        Write(Verdict.NotEnoughData, collecting).ShouldMatch($"2 of {needed} requests.+ {needed - 2} more");
        Write(Verdict.NotEnoughData, collecting with { IsOperation = true }).ShouldMatch($"2 of {needed} operations.+ {needed - 2} more");
    }

    [Fact]
    public void Help_IsTheSectionOfTheWait()
    {
        var state = AdviceCases.State(s_blocked);

        HelpFor(Verdict.AsyncWillHelp, state with { Worst = AdviceCases.Site(WaitKind.TaskWait) }).ShouldBe(WaitKind.TaskWait.Help());
        HelpFor(Verdict.AsyncWillHelp, state).ShouldBe(HelpSections.Unnamed);
        HelpFor(Verdict.LockContention, state).ShouldBe(WaitKind.Lock.Help());
        HelpFor(Verdict.ProviderIsSynchronous, state).ShouldBe(HelpSections.Provider);
        HelpFor(Verdict.ProviderIsSynchronous, state with { Provider = SynchronousProvider.Files }).ShouldBe(HelpSections.Files);
        HelpFor(Verdict.Fine, state).ShouldBeNull();
    }

    private static string Write(Verdict verdict, EndpointCase endpoint) => Advice.Write(endpoint, verdict);

    private static string? HelpFor(Verdict verdict, EndpointCase endpoint) => Advice.HelpFor(endpoint, verdict);
}
