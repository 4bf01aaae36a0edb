using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Pool.Diagnosis;

[Trait(Logic.Category, Logic.Name)]
public sealed class PoolSentencesTests
{
    private const string Site = "Orders.Load (Orders.cs:42)";

    // It once said "Most of them (1) are blocked", and "Await there" without naming a place.
    [Theory]
    [InlineData(8, 8, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. All of them are blocked in GET /orders at Orders.Load "
            + "(Orders.cs:42).")]
    [InlineData(8, 5, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. Most of them (5) are blocked in GET /orders at Orders.Load "
            + "(Orders.cs:42).")]
    [InlineData(8, 4, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. 4 of them are blocked in GET /orders at Orders.Load (Orders.cs:42).")]
    [InlineData(8, 1, Site,
        "8 of 8 busy threads are blocked in requests and do nothing. One of them is blocked in GET /orders at Orders.Load (Orders.cs:42).")]
    [InlineData(1, 1, Site,
        "1 of 8 busy threads is blocked in a request and does nothing. It is blocked in GET /orders at Orders.Load (Orders.cs:42).")]
    [InlineData(8, 8, null,
        "8 of 8 busy threads are blocked in requests and do nothing. All of them are blocked in GET /orders, location not known yet (the "
            + "wait hook watches its next requests).")]
    public void Explanation_CountsAsAPersonDoes(int blocked, int endpointThreads, string? site, string expected) =>
        PoolSentences.Explain(Verdict(blocked, endpointThreads, site)).ShouldBe(expected);

    [Theory]
    [InlineData(Site, nameof(WaitsSeen.Found), "Await there instead of blocking.")]
    [InlineData(null, nameof(WaitsSeen.NotLooked), "Await instead of blocking.")]
    [InlineData(null, nameof(WaitsSeen.NothingFound),
        "Find there what sleeps, reads files or calls native code, and await instead. Add AsyncProbe.StackSnapshots to find it.")]
    public void Advice_PointsToAPlace_OnlyWhenOneWasNamed(string? site, string seen, string expected) =>
        PoolSentences.Advise(Verdict(8, 8, site, Enum.Parse<WaitsSeen>(seen))).ShouldBe(expected);

    [Fact]
    public void Advice_SaysWhatHelpsWithoutADeployment_InHexadecimal()
    {
        var blocked = Verdict(8, 8, Site);
        PoolSentences.Advise(blocked with { Diagnosis = blocked.Diagnosis! with { RecommendedMinimum = 240 } }).ShouldBe(
            "Await there instead of blocking. Until then a minimum of 240 threads (now 0) lets the pool grow at once: "
            + "restart with DOTNET_ThreadPool_ForceMinWorkerThreads=F0 (hexadecimal) in the environment, or call "
            + "ThreadPool.SetMinThreads(240, 240).");
        PoolSentences.Advise(blocked with { Diagnosis = blocked.Diagnosis! with { Cause = PoolCause.Deadlock } })
            .ShouldEndWith(
                "restart with DOTNET_ThreadPool_ForceMaxWorkerThreads=3E8 (hexadecimal) in the environment, or call "
                    + "ThreadPool.SetMaxThreads(1000, 1000).");
    }

    [Fact]
    public void Advice_SaysWhatHelps_WhereAwaitDoesNot()
    {
        var verdict = Verdict(8, 8, Site);

        PoolSentences.Advise(verdict with { Diagnosis = verdict.Diagnosis! with { Remedy = "Hold that lock for less time." } })
            .ShouldBe("Hold that lock for less time.");
    }

    [Fact]
    public void Explanation_PromisesNoLook_WhenDetectionIsOff()
    {
        var verdict = Verdict(8, 8, site: null);

        PoolSentences.Explain(verdict with { Diagnosis = verdict.Diagnosis! with { WillLook = false } })
            .ShouldEndWith("GET /orders, location unknown (detection is off).");
    }

    [Theory]
    [InlineData(0, 0, 0,
        "None of 8 busy threads has been in a request or an operation for longer than 10 ms; they run shorter ones, or work outside of "
            + "requests and operations.")]
    [InlineData(1, 0, 0,
        "1 of 8 busy threads has been in a request for longer than 10 ms; the others run shorter ones, or work outside of requests and "
            + "operations.")]
    [InlineData(1, 1, 1,
        "1 of 8 busy threads has been in an operation for longer than 10 ms and is blocked; the others run shorter ones, or work outside of "
            + "requests and operations.")]
    [InlineData(3, 0, 1,
        "3 of 8 busy threads have been in requests for longer than 10 ms (1 of them blocked); the others run shorter ones, or work outside "
            + "of requests and operations.")]
    [InlineData(3, 2, 1,
        "3 of 8 busy threads have been in requests and operations for longer than 10 ms (1 of them blocked); the others run shorter ones, "
            + "or work outside of requests and operations.")]
    [InlineData(3, 3, 1,
        "3 of 8 busy threads have been in operations for longer than 10 ms (1 of them blocked); the others run shorter ones, or work "
            + "outside of requests and operations.")]
    public void Explanation_NamesWhatTheThreadsRun(int inRequests, int inOperations, int blocked, string expected) =>
        Explained(d => d with
        {
            Cause = PoolCause.Unknown,
            InRequests = inRequests,
            InOperations = inOperations,
            Blocked = blocked,
        }).ShouldBe(expected);

    [Theory]
    [InlineData(0, 0, "The one busy thread is blocked in a request and does nothing. It is blocked in GET /orders.")]
    [InlineData(1, 0, "The one busy thread is blocked in a request and does nothing. It is blocked in GET /orders.")]
    [InlineData(1, 1, "The one busy thread is blocked in an operation and does nothing. It is blocked in GET /orders.")]
    [InlineData(2, 1, "The one busy thread is blocked in a request or an operation and does nothing. It is blocked in GET /orders.")]
    public void Explanation_OfOneThread_IsInTheSingular(int inRequests, int inOperations, string expected) =>
        Explained(d => d with
        {
            InRequests = inRequests,
            InOperations = inOperations,
            Blocked = 1,
            EndpointThreads = 1,
            Site = null,
            Seen = WaitsSeen.Found,
            Sample = d.Sample with { Busy = 1 },
        }).ShouldBe(expected);

    [Fact]
    public void Explanation_OfADeadlock_SaysThatNothingCanFinish() =>
        Explained(d => d with { Cause = PoolCause.Deadlock, Sample = d.Sample with { MaximumThreads = 8 } }).ShouldBe(
            "All 8 threads wait for work that needs a pool thread, and the pool may have no more than 8 threads: nothing can finish. All of "
            + "them wait in GET /orders at Orders.Load (Orders.cs:42).");

    [Theory]
    [InlineData(21, 21, "Feed.OnTimer (Feed.cs:40)",
        "21 of 21 busy threads run neither a request nor an operation, and 20 of those do nothing; most of those that were looked at are at "
            + "Feed.OnTimer (Feed.cs:40).",
        "Await there instead of blocking.")]
    [InlineData(1, 2, null,
        "1 of 2 busy threads runs neither a request nor an operation, and 20 of those do nothing.",
        "Look for timers, Task.Run and hosted services that block; AsyncProbeOperation.Start makes their work rows of the report, and the "
            + "package AsyncProbe.StackSnapshots names the lines.")]
    public void UnclaimedWork_IsToldWithItsLine(int unclaimed, int busy, string? site, string expected, string advice)
    {
        var verdict = With(d => d with
        {
            IsUnclaimed = true,
            UnclaimedIdle = 20,
            Endpoint = null,
            EndpointThreads = 0,
            Site = site,
            Sample = d.Sample with { Unclaimed = unclaimed, Busy = busy },
        });

        PoolSentences.Explain(verdict).ShouldBe(expected);
        PoolSentences.Advise(verdict).ShouldBe(advice);
    }

    [Fact]
    public void Explanation_SaysWhatNoHookSees() =>
        Explained(d => d with { Site = null, Seen = WaitsSeen.NothingFound }).ShouldEndWith(
            "All of them are blocked in GET /orders, location unknown (Thread.Sleep, file I/O or native code).");

    [Fact]
    public void UnclaimedWork_OfUnknownCause_SaysNothingOfWhatItDoes()
    {
        var verdict = With(d => d with
        {
            Cause = PoolCause.Unknown,
            IsUnclaimed = true,
            Site = "Feed.OnTimer (Feed.cs:40)",
            Sample = d.Sample with { Unclaimed = 5 },
        });

        PoolSentences.Explain(verdict).ShouldBe(
            "5 of 8 busy threads run neither a request nor an operation; most of those that were looked at are at Feed.OnTimer (Feed.cs:40).");
        PoolSentences.Advise(verdict).ShouldBe("Look there first.");
        PoolSentences.Advise(verdict with { Diagnosis = verdict.Diagnosis! with { Site = null, HasSnapshots = true } }).ShouldBe(
            "Look for timers, Task.Run and hosted services that block; AsyncProbeOperation.Start makes their work rows of the report.");
    }

    [Fact]
    public void UnclaimedWork_HasTheMinimumToo_UnlessItIsSaidElsewhere()
    {
        var verdict = With(d => d with { IsUnclaimed = true, RecommendedMinimum = 30 });

        PoolSentences.Advise(verdict).ShouldStartWith("Await there instead of blocking. Until then a minimum of 30 threads");
        PoolSentences.Advise(verdict, withMinimum: false).ShouldBe("Await there instead of blocking.");
    }

    [Fact]
    public void Minimum_IsLeftOut_WhereItIsSaidElsewhere() =>
        PoolSentences.Advise(With(d => d with { RecommendedMinimum = 30 }), withMinimum: false).ShouldBe("Await there instead of blocking.");

    [Theory]
    [InlineData(8, 8, "")]
    [InlineData(2, 1, ", and 1 thread works or waits for a core in requests. It runs GET /orders")]
    [InlineData(8, 2, ", and 6 threads work or wait for a core in requests. 3 of them run GET /orders")]
    public void Explanation_OfFullCores_CountsThoseThatWork(int inRequests, int blocked, string expected)
    {
        var load = new ProcessLoad(Duration.Second, 100 * Duration.Second, Duration.Zero);

        var said = Explained(d => d with
        {
            Cause = PoolCause.Cpu,
            InRequests = inRequests,
            Blocked = blocked,
            EndpointThreads = blocked == inRequests ? 0 : 3,
            Sample = d.Sample with { Load = load },
        });

        said.ShouldStartWith("The process uses 100 % of ");
        said.ShouldEndWith($" cores{expected}.");
    }

    // The advice "Less work a request" was once given to a process that had 18 % of the cores.
    [Fact]
    public void Cores_ThatOthersHave_AreNoReasonToWorkLess()
    {
        var load = new ProcessLoad(Duration.Second, Duration.Zero, Duration.Zero);
        var crowded = With(d => d with { Cause = PoolCause.Cpu, IsCrowdedOut = true, Sample = d.Sample with { Load = load } });

        PoolSentences.Explain(crowded).ShouldStartWith("The process gets only 0 % of ");
        PoolSentences.Explain(crowded).ShouldContain(" cores because others have them");
        PoolSentences.Advise(crowded).ShouldBe(
            "Give the process more of the cores, or move the other work elsewhere. More threads will not help, and neither will async.");
    }

    [Fact]
    public void Explanation_OfCollections_SaysTheirShare() =>
        Explained(d => d with
        {
            Cause = PoolCause.Gc,
            Sample = d.Sample with { Load = new ProcessLoad(Duration.Second, Duration.Zero, 400 * Duration.Millisecond) },
        }).ShouldBe("The garbage collector paused the process for 40 % of the last second.");

    [Fact]
    public void Explanation_OfWhatWas_SaysSo_AndHasTheFiguresOfNow()
    {
        var past = With(d => d with { IsPast = true });
        var present = Verdict(8, 8, Site);
        var latest = past.Diagnosis!.Sample with { Busy = 2 };

        PoolSentences.Explain(past).ShouldStartWith("A moment ago: 8 of 8 busy threads");
        PoolSentences.SampleOf(past, latest).ShouldBeSameAs(latest);
        PoolSentences.SampleOf(present, latest).ShouldBeSameAs(present.Diagnosis!.Sample);
        PoolSentences.SampleOf(present with { Diagnosis = null }, latest).ShouldBeSameAs(latest);
    }

    [Theory]
    [InlineData(nameof(PoolCause.Cpu), "More threads will not help and async will not either: less work a request, a cache or more cores will.")]
    [InlineData(nameof(PoolCause.Gc), "Allocate less, or give the process more memory; more threads will not help.")]
    [InlineData(nameof(PoolCause.Unknown), "Look for background work that occupies pool threads (Task.Run, timers, hosted services).")]
    public void Advice_FollowsTheCause(string cause, string expected) =>
        PoolSentences.Advise(With(d => d with { Cause = Enum.Parse<PoolCause>(cause) })).ShouldBe(expected);

    [Fact]
    public void NothingIsSaid_OfAPoolWithoutADiagnosis()
    {
        var healthy = Verdict(8, 8, Site) with { Diagnosis = null };

        PoolSentences.Explain(healthy).ShouldBeEmpty();
        PoolSentences.Advise(healthy).ShouldBeEmpty();
    }

    [Fact]
    public void NamesAndFigures_AreThoseOfTheReport()
    {
        var sample = Verdict(8, 8, Site).Diagnosis!.Sample;

        PoolSentences.Name(PoolCause.Deadlock).ShouldBe("deadlock");
        PoolSentences.Name(PoolCondition.Starved).ShouldBe("starved");
        PoolSentences.Figures(sample).ShouldBe("a work item waits 1000 ms for a pool thread, 50 items wait, 8 of 8 threads are busy");
    }

    private static string Explained(Func<PoolDiagnosis, PoolDiagnosis> change) => PoolSentences.Explain(With(change));

    private static PoolVerdict With(Func<PoolDiagnosis, PoolDiagnosis> change)
    {
        var verdict = Verdict(8, 8, Site);
        return verdict with { Diagnosis = change(verdict.Diagnosis!) };
    }

    private static PoolVerdict Verdict(int blocked, int endpointThreads, string? site, WaitsSeen seen = WaitsSeen.NotLooked)
    {
        var sample = new PoolSample(DateTime.UtcNow, Threads: 8, Pending: 50, Completed: 1, Busy: 8, Duration.Second, Duration.Second);
        return new PoolVerdict(
            PoolCondition.Starved, sample.At,
            new PoolDiagnosis(PoolCause.Blocked, sample, blocked, blocked, "GET /orders", endpointThreads, site) { Seen = seen });
    }
}
