using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

[Trait(Logic.Category, Logic.Name)]
public sealed class AdviceTests
{
    private static Duration Ms => Duration.Millisecond;

    private static readonly HeldSplit s_blocked = new(210 * Ms, 8 * Ms, Duration.Zero, 2 * Ms, 200 * Ms);

    [Fact]
    public void AsyncWillHelp_SaysWhereAndWhatItBuys()
    {
        var ceiling = Ceiling.Create(s_blocked, 200 * Ms, Duration.Zero, threads: 5, cores: 2);

        Say(Verdict.AsyncWillHelp, s_blocked, ceiling, Site(WaitKind.TaskWait)).ShouldBe(
            "Each request holds a pool thread for 210 ms, and for 200 ms of that the thread does nothing, most at Task.Wait: await "
                + "instead, "
            + "and the ceiling rises from 23 to about 250 requests a second (×11 at 5 threads).");
    }

    // A factor of "up to" read like a promise: it once said ×1121 at 3 threads.
    [Theory]
    [InlineData(0.7, "; the CPU time then allows up to 2,900, unless what it waits for allows less.")]
    [InlineData(0.05, " that the pool had, is gone.")]
    public void AsyncWillHelp_SaysLess_WhenLittleCpuRemains(double cpuMs, string expected)
    {
        var mean = new HeldSplit(200 * Ms, cpuMs * Ms, default, default, 199 * Ms);

        var text = Say(
            Verdict.AsyncWillHelp, mean, Ceiling.Create(mean, mean.Blocked, Duration.Zero, threads: 4, cores: 2), Site(WaitKind.TaskWait));

        text.ShouldContain("the limit of 20 requests a second, with the 4 threads that the pool had, is gone");
        text.ShouldContain(expected);
        text.ShouldNotContain("×");
    }

    // The pool had grown to 227 threads, so the cores were the limit either way. It said "from 10,000 to up to 10,000 (×1)".
    [Fact]
    public void AsyncWillHelp_PromisesNoRate_WhenThereWereThreadsEnoughToWasteThem()
    {
        var mean = new HeldSplit(21 * Ms, Ms / 2, default, default, 20 * Ms);

        Say(
            Verdict.AsyncWillHelp, mean, Ceiling.Create(mean, mean.Blocked, Duration.Zero, threads: 2000, cores: 2),
            Site(WaitKind.TaskWait)).ShouldContain(
            "and the thread is free meanwhile; the rate hardly rises, because the pool had 2,000 threads to wait with.");
    }

    [Theory]
    [InlineData(nameof(WaitsSeen.NothingFound), true, "location unknown (Thread.Sleep, file I/O or native code)",
        " Add AsyncProbe.StackSnapshots to find it.")]
    [InlineData(nameof(WaitsSeen.NotLooked), true, "location not known yet (the wait hook watches its next requests)", "")]
    [InlineData(nameof(WaitsSeen.NotLooked), false, "location unknown (detection is off)", "")]
    public void AsyncWillHelp_SaysWhetherAnybodyHasLooked_WhenNoSiteWasSeen(string seen, bool willLook, string expected, string hint) =>
        Write(Verdict.AsyncWillHelp, State(s_blocked, null) with { Seen = Enum.Parse<WaitsSeen>(seen), WillLook = willLook }).ShouldBe(
            $"Each request holds a pool thread for 210 ms, and for 200 ms of that the thread does nothing, {expected}: await instead, "
            + "and the thread is free meanwhile." + hint);

    [Fact]
    public void AsyncWillHelp_PointsToNoAddOn_ThatIsThere() =>
        Write(Verdict.AsyncWillHelp, State(s_blocked, null) with { Seen = WaitsSeen.NothingFound, HasSnapshots = true })
            .ShouldEndWith("and the thread is free meanwhile.");

    // The list of sites showed one, but the advice said that none was seen.
    [Fact]
    public void AsyncWillHelp_SaysOfASiteThatExplainsLittle_ThatItDoes() =>
        Write(Verdict.AsyncWillHelp, State(s_blocked, null) with { Seen = WaitsSeen.NothingFound, Trifle = Site(WaitKind.EfCore) })
            .ShouldContain("location unknown (Thread.Sleep, file I/O or native code), a small part of it at EfCore: await");

    [Fact]
    public void AsyncWillHelp_SaysThatASiteIsAPartOfIt_WhenItIsNotMostOfIt() =>
        Write(Verdict.AsyncWillHelp, State(s_blocked, null) with { Worst = Site(WaitKind.TaskWait), IsWorstMostOfIt = false })
            .ShouldContain("does nothing, part of it at Task.Wait: await");

    [Fact]
    public void AsyncWillHelp_TellsAllowedWaitsApart() =>
        Write(Verdict.AsyncWillHelp, State(s_blocked, null, allowed: 50 * Ms))
            .ShouldContain("for 200 ms of that the thread does nothing (50 ms of it where that is allowed), location not known yet");

    [Theory]
    [InlineData(null, 10.0)]
    [InlineData(10.0, null)]
    [InlineData(0.0, 10.0)]
    public void AsyncWillHelp_PromisesNoFigure_WhenThereIsNone(double? now, double? then) =>
        Say(Verdict.AsyncWillHelp, s_blocked, new Ceiling(4, new Rate(now, now), new Rate(then, then)), null)
            .ShouldContain("await instead, and the thread is free meanwhile.");

    [Fact]
    public void LockContention_SaysThatAsyncDoesNotHelp_AndWhere() =>
        Say(Verdict.LockContention, s_blocked, null, Site(WaitKind.Lock)).ShouldBe(
            "Each request is blocked for 200 ms of 210 ms held, most of it at a contended lock (Lock): async will not help; "
            + "hold the lock for less time, or share less.");

    [Fact]
    public void LockContention_NeedsNoSite() =>
        Say(Verdict.LockContention, s_blocked, null, null).ShouldContain("at a contended lock: async will not help");

    [Theory]
    [InlineData(false, "fewer or shorter commands help")]
    [InlineData(true, "it sleeps and tries a locked database again, so shorter write transactions help")]
    public void ProviderIsSynchronous_SaysThatAwaitFreesNoThread(bool isBusy, string expected) =>
        Write(Verdict.ProviderIsSynchronous, 
            State(s_blocked, null) with { Provider = "Microsoft.Data.Sqlite", IsProviderBusy = isBusy })
            .ShouldBe(
            "Each request is blocked for 200 ms of 210 ms held, most of it inside Microsoft.Data.Sqlite, which waits in its asynchronous "
                + "methods too: "
            + $"await frees no thread here; {expected}.");

    [Fact]
    public void CpuBound_SaysThatAsyncRaisesNothing()
    {
        var mean = new HeldSplit(60 * Ms, 57 * Ms, default, 2 * Ms, Ms / 2);
        var ceiling = new Ceiling(4, new Rate(47, 50), new Rate(47, 50));

        Say(Verdict.CpuBound, mean, ceiling, null).ShouldBe(
            "59 ms of the 60 ms held is CPU work: async will not raise the ceiling of 47 requests a second; less work, a cache or more "
                + "cores will.");
        Say(Verdict.CpuBound, mean, null, null).ShouldContain("will not raise the ceiling; less work");
    }

    // It said "3 ms of the 57 ms held is CPU work", and nothing about the other 54.
    [Fact]
    public void CpuBound_SaysThatTheThreadWaitsForACore_WhenThatIsMostOfIt()
    {
        var mean = new HeldSplit(57 * Ms, 3 * Ms, 50 * Ms, default, Ms / 2);
        var ceiling = new Ceiling(4, new Rate(470, 500), new Rate(470, 500));

        Say(Verdict.CpuBound, mean, ceiling, null).ShouldBe(
            "Requests hold a thread for 57 ms, and for 50 ms of that it waits for a core; 3 ms is CPU work: "
            + "async will not raise the ceiling of 470 requests a second; less work, a cache or more cores will.");
        Say(Verdict.CpuBound, mean with { Blocked = 4 * Ms }, ceiling, null).ShouldBe(
            "Requests hold a thread for 57 ms, and for 50 ms of that it waits for a core; 3 ms is CPU work, and with 4 threads that sets "
                + "the ceiling of 470 requests a second: "
            + "to await the 4 ms for which the thread does nothing would hardly raise it; less work, a cache or more cores will.");
    }

    [Theory]
    [InlineData(50.0, false)]
    [InlineData(50.1, true)]
    public void CpuBound_SaysWhatWaitsForACore_OnlyWhenItIsMoreThanHalf(double cpuWait, bool expected) =>
        Say(Verdict.CpuBound, new HeldSplit(100 * Ms, (100 - cpuWait) * Ms, cpuWait * Ms, default, default), null, null)
            .Contains("waits for a core", StringComparison.Ordinal).ShouldBe(expected);

    [Fact]
    public void Fine_NamesTheAllowedWaits_ThoughACrowdTakesTheCores()
    {
        var mean = new HeldSplit(42 * Ms, default, 22 * Ms, default, 20 * Ms);

        Write(Verdict.Fine, State(mean, null, allowed: 20 * Ms)).ShouldContain("blocked where it is allowed");
    }

    [Fact]
    public void CpuBound_SaysThatAwaitWouldHardlyRaiseIt_WhenThereIsBlockedTimeToo()
    {
        var mean = new HeldSplit(60 * Ms, 40 * Ms, default, default, 20 * Ms);

        Say(Verdict.CpuBound, mean, new Ceiling(20, new Rate(47, 50), new Rate(50, 50)), null).ShouldBe(
            "40 ms of the 60 ms held is CPU work, and with 20 threads that sets the ceiling of 47 requests a second: "
            + "to await the 20 ms for which the thread does nothing would hardly raise it; less work, a cache or more cores will.");
    }

    [Fact]
    public void AlreadyAsync_SaysHowLittleIsHeld()
    {
        var mean = new HeldSplit(2 * Ms, 2 * Ms, default, default, default);

        Write(Verdict.AlreadyAsync, State(mean, null, duration: 200 * Ms)).ShouldBe(
            "Requests take 200 ms and hold a thread for 2 ms of it: the waits are awaited, so there is nothing to gain here.");
    }

    [Fact]
    public void Fine_SaysThatNothingIsToGain() =>
        Say(Verdict.Fine, new HeldSplit(Ms / 2, Ms / 2, default, default, default), null, null)
            .ShouldBe("Requests hold a thread for 0.5 ms: there is nothing to gain here.");

    [Fact]
    public void Fine_SaysThatTheCoresAreTaken_WhenMostOfTheTimeIsCpuWait() =>
        Say(Verdict.Fine, new HeldSplit(9 * Ms, Ms / 2, 8 * Ms, default, default), null, null).ShouldBe(
            "Requests hold a thread for 9 ms, and for 8 ms of that it waits for a core: other work takes the cores, and nothing here "
                + "needs changing.");

    [Theory]
    [InlineData("start-up cache", " (start-up cache)")]
    [InlineData(null, "")]
    public void Fine_SaysThatItIsAllowed_WhenAllowedWaitsAreMostOfIt(string? reason, string expected) =>
        Write(Verdict.Fine, State(s_blocked, null, allowed: 200 * Ms) with { AllowedReason = reason }).ShouldBe(
            $"Requests hold a thread for 210 ms, and for 200 ms of that they are blocked where it is allowed{expected}: nothing here "
                + "needs changing.");

    [Fact]
    public void Advice_SaysOfWhichRequests_WhenTheEndpointHasChanged()
    {
        var state = State(new HeldSplit(Ms / 2, Ms / 2, default, default, default), null);

        Write(Verdict.Fine, state with { HasChanged = true })
            .ShouldEndWith("nothing to gain here. Based on its last 9 requests; earlier ones were different.");
    }

    // A thread that waits for its turn to collect sleeps like any other, and nothing shows what it waits for.
    [Fact]
    public void Advice_SaysThatItCannotTell_WhenCollectionsPausedTheProcessAsLongAsItIsBlocked()
    {
        var mean = new HeldSplit(239 * Ms, Ms, 43 * Ms, 147 * Ms, 48 * Ms) { BlockedInGc = 43 * Ms };
        var state = State(mean, null);

        Write(Verdict.Fine, state with { Parts = state.Parts with { Unclear = 43 * Ms } })
            .ShouldBe("Requests hold a thread for 239 ms. Garbage collections pause the process for 190 ms of that, "
                + "so for 43 ms nobody can tell whether the thread waited for a collection or for something else: look at the "
                + "collections first.");
    }

    // The sentence was once that of "fine", and said nothing about the work.
    [Fact]
    public void Advice_SaysWhatIsWork_WhenTheRestMayHaveBeenWaitsForCollections()
    {
        var mean = new HeldSplit(47 * Ms, 2 * Ms, Ms, 4 * Ms, 40 * Ms) { BlockedInGc = 30 * Ms };
        var state = State(mean, Ceiling.Create(mean, Duration.Zero, Duration.Zero, threads: 15, cores: 2));

        Write(Verdict.CpuBound, state with { Parts = state.Parts with { Unclear = 40 * Ms } }).ShouldStartWith(
            "Requests hold a thread for 47 ms. Garbage collections pause the process for 34 ms of that, so for 40 ms nobody can tell whether "
                + "the thread waited for a collection or for something else; 6 ms is CPU work: async will not raise the ceiling of ");
    }

    [Fact]
    public void Advice_SaysThatItCannotTell_WhenTheCrowdMayHaveMadeTheWaits()
    {
        var mean = new HeldSplit(297 * Ms, 8 * Ms, 233 * Ms, Duration.Zero, 56 * Ms);
        var state = State(mean, Ceiling.Create(mean, Duration.Zero, Duration.Zero, threads: 15, cores: 0.5));

        Write(Verdict.CpuBound, state with { Parts = state.Parts with { Unclear = 56 * Ms } }).ShouldStartWith(
            "Requests hold a thread for 297 ms, and for 233 ms of that it waits for a core, and for another 56 ms nobody has seen for "
                + "what: "
            + "perhaps for a thread that waits for a core itself; 8 ms is CPU work: async will not raise the ceiling of ");
    }

    [Fact]
    public void NotEnoughData_SaysHowMuchIsMissing() =>
        Write(Verdict.NotEnoughData, State(default, null, requests: 1))
            .ShouldBe(
                "Collecting: 1 of 5 requests. An endpoint's first 5 requests and those beside them carry the JIT's time and do not count; "
                    + "send 4 more after them.");

    [Fact]
    public void NotEnoughData_SaysThatTheCrowdHidesWhetherItWaits()
    {
        var mean = new HeldSplit(54.5 * Ms, 0.5 * Ms, 34 * Ms, default, 20 * Ms);
        var state = State(mean, null);

        Write(Verdict.NotEnoughData, state with { Parts = state.Parts with { Unclear = 20 * Ms } }).ShouldBe(
            "No verdict. Requests hold a thread for 55 ms, and for 34 ms of that it waits for a core, and for another 20 ms nobody has seen "
                + "for what: perhaps for a thread that waits for a core itself. Look again while the cores are less busy.");
    }

    [Fact]
    public void Advice_SaysThatOneRequestDidIt()
    {
        var mean = new HeldSplit(3.2 * Ms, 0.2 * Ms, default, default, 3 * Ms);

        Write(Verdict.Fine, State(mean, null, requests: 20, blocking: 1)).ShouldBe(
            "Requests hold a thread for 3.2 ms: there is nothing to gain here. One of the last 20 requests accounts for most of the "
                + "60 ms for which they were blocked, and once is no pattern.");
        Write(Verdict.Fine, State(mean, null, requests: 20, blocking: 2)).ShouldNotContain("One of the last");
    }

    [Fact]
    public void Advice_SaysOfAllowedWaits_ThatOneRequestDidTheRest()
    {
        var mean = new HeldSplit(13.2 * Ms, 0.2 * Ms, default, default, 13 * Ms);

        Write(Verdict.Fine, State(mean, null, requests: 20, allowed: 10 * Ms, blocking: 1)).ShouldBe(
            "Requests hold a thread for 13 ms, and for 10 ms of that they are blocked where it is allowed: nothing here needs changing. One of "
                + "the last 20 requests accounts for most of the 60 ms for which they were blocked where that is not allowed, and once "
                + "is no pattern.");
        Write(Verdict.CpuBound, State(mean, null, requests: 20, blocking: 1)).ShouldContain("One of the last");
        Write(Verdict.AlreadyAsync, State(mean, null, requests: 20, blocking: 1)).ShouldContain("One of the last");
        Write(Verdict.AsyncWillHelp, State(mean, null, requests: 20, blocking: 1)).ShouldNotContain("One of the last");
    }

    // From one millisecond up, and from half of the held time up.
    [Theory]
    [InlineData(1, 1, true)]
    [InlineData(1, 0.99, false)]
    [InlineData(20, 10, true)]
    [InlineData(20, 9.9, false)]
    [InlineData(0.5, 0.4, false)]
    public void Fine_NamesTheAllowedWaits_WhereTheyAreHalfOfIt(double heldMs, double allowedMs, bool expected) =>
        Write(Verdict.Fine, State(new HeldSplit(heldMs * Ms, 0.1 * Ms, default, default, allowedMs * Ms), null, allowed: allowedMs * Ms))
            .Contains("where it is allowed", StringComparison.Ordinal).ShouldBe(expected);

    [Fact]
    public void Collecting_SaysWhatIsMissing_OfRequestsAndOperations()
    {
        var collecting = State(s_blocked, null, requests: 2);

        Write(Verdict.NotEnoughData, collecting).ShouldMatch(
            "^Collecting: 2 of [0-9]+ requests. An endpoint's first [0-9]+ requests and those beside them carry the JIT's time and do not "
                + "count; send [0-9]+ more after them.$");
        Write(Verdict.NotEnoughData, collecting with { IsOperation = true }).ShouldMatch(
            "^Collecting: 2 of [0-9]+ operations. The first [0-9]+ operations and those beside them carry the JIT's time and do not count; "
                + "run [0-9]+ more after them.$");
    }

    [Fact]
    public void Help_IsTheSectionOfTheWait()
    {
        var state = State(s_blocked, null);

        HelpFor(Verdict.AsyncWillHelp, state with { Worst = Site(WaitKind.TaskWait) }).ShouldBe(WaitKind.TaskWait.Help());
        HelpFor(Verdict.AsyncWillHelp, state).ShouldBe(WaitKinds.UnnamedHelp);
        HelpFor(Verdict.LockContention, State(s_blocked, null)).ShouldBe(WaitKind.Lock.Help());
        HelpFor(Verdict.ProviderIsSynchronous, State(s_blocked, null)).ShouldBe(WaitKinds.ProviderHelp);
        HelpFor(Verdict.Fine, State(s_blocked, null)).ShouldBeNull();
    }

    // The unexplained part has its own sentence, which asks for what would explain it.
    [Fact]
    public void NotEnoughData_SaysHowMuchIsUnexplained_AndWhatWouldExplainIt()
    {
        var state = State(s_blocked, null);
        var unexplained = state with { Parts = state.Parts with { Unplaced = 190 * Ms }, Seen = WaitsSeen.NothingFound };

        Write(Verdict.NotEnoughData, unexplained).ShouldBe(
            "No verdict. Each request is blocked for 200 ms of 210 ms held, and for 190 ms of that no place is known that could be awaited: "
                + "location unknown (Thread.Sleep, file I/O or native code)." + WaitsSeenTexts.Hint(hasSnapshots: false));
        HelpFor(Verdict.NotEnoughData, unexplained).ShouldBe(WaitKinds.UnnamedHelp);
    }

    // An endpoint that compiles expressions waits inside the runtime for a quarter of its time.
    [Fact]
    public void CpuBound_SaysWhatIsBlockedWhereNothingCanBeAwaited()
    {
        var state = State(new HeldSplit(100 * Ms, 72 * Ms, default, default, 28 * Ms), null);

        Write(Verdict.CpuBound, state with { Parts = state.Parts with { Unplaced = 28 * Ms } }).ShouldBe(
            "72 ms of the 100 ms held is CPU work, and for 28 ms it is blocked in no call that could be awaited, perhaps in the runtime "
                + "itself: async will not raise the ceiling; less work, a cache or more cores will.");
    }

    [Theory]
    [InlineData("NLog", true, "log less here, or let the logger write in the background.")]
    [InlineData("System.Data.SQLite", false, "call it less often, or from fewer threads.")]
    public void LockContention_NamesTheLibraryThatOwnsTheLock(string owner, bool isLogger, string remedy) =>
        Write(Verdict.LockContention, State(s_blocked, null) with { WorstLock = new WaitPlace("Shop.Get") { Owner = owner, IsLogger = isLogger } })
            .ShouldBe(
                $"Each request is blocked for 200 ms of 210 ms held, most of it at a contended lock of {owner} (Shop.Get): async will not "
                    + $"help; {remedy}");

    [Fact]
    public void AsyncWillHelp_PromisesNoRate_WhereALimitStays()
    {
        var ceiling = Ceiling.Create(s_blocked, 200 * Ms, Duration.Zero, threads: 5, cores: 2);
        var place = new WaitPlace("Shop.Pay") { Limit = "the semaphore", Instead = "WaitAsync" };

        Write(Verdict.AsyncWillHelp, State(s_blocked, ceiling) with { Worst = place }).ShouldEndWith(
            "most at Shop.Pay: await instead (WaitAsync), and the thread is free meanwhile; the semaphore still sets the rate.");
    }

    private static string Say(Verdict verdict, HeldSplit mean, Ceiling? ceiling, WaitPlace? worst) =>
        Write(verdict, State(mean, ceiling) with { Worst = worst, WorstLock = worst });

    private static string Write(Verdict verdict, EndpointCase endpoint) => Advice.Write(endpoint, verdict);

    private static string? HelpFor(Verdict verdict, EndpointCase endpoint) => Advice.HelpFor(endpoint, verdict);

    private static EndpointCase State(
        HeldSplit mean, Ceiling? ceiling, long requests = 9, Duration allowed = default, Duration duration = default, long? blocking = null)
    {
        var unallowed = (mean.Blocked - allowed).TotalMilliseconds * requests;
        return new EndpointCase
        {
            Mean = mean,
            Requests = requests,
            Parts = new BlockedParts(mean.Blocked, allowed, Duration.Zero, Duration.Zero),
            Ceiling = ceiling,
            MeanDuration = duration,
            BlockedRequests = blocking ?? requests,
            BlockedSquares = unallowed * unallowed / (blocking ?? requests),
        };
    }

    private static WaitPlace Site(WaitKind kind) => new(kind.Name()) { Help = kind.Help() };
}
