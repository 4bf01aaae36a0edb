using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;
using static AsyncProbe.Tests.Rules.Cases;

namespace AsyncProbe.Tests.Rules;

[Trait(Logic.Category, Logic.Name)]
public sealed class VerdictTests
{
    private static Duration Ms => Duration.Millisecond;

    [Fact]
    public void Verdict_WaitsForData_WhenFewRequestsWereWarm() =>
        Decide(Verdicts.RequestsNeeded - 1, Mean(cpu: 0, blocked: 200), Duration.Zero, 200 * Ms).ShouldBe(Verdict.NotEnoughData);

    [Fact]
    public void Verdict_IsAsyncWillHelp_WhenTheThreadIsBlocked() =>
        Decide(Verdicts.RequestsNeeded, Mean(cpu: 1, blocked: 200), Duration.Zero, 201 * Ms).ShouldBe(Verdict.AsyncWillHelp);

    [Fact]
    public void Verdict_IsLockContention_WhenMostOfTheBlockedTimeIsLocks() =>
        Decide(100, Mean(cpu: 1, blocked: 200), 150 * Ms, 201 * Ms).ShouldBe(Verdict.LockContention);

    // A login that hashes a password, and meets the logger's queue on the way.
    [Fact]
    public void Verdict_IsCpuBound_WhenTheWorkIsMoreThanTheLocksAndTheCoresAreTheLimit()
    {
        var (window, parts) = (Window(100, Mean(cpu: 50, blocked: 10), 61 * Ms, suspensions: 0), Parts(10) with { Locks = 10 * Ms });

        Decide(window, parts, Gains(1.0) with { IsBoundByCores = true }).ShouldBe(Verdict.CpuBound);
        Decide(window, parts, Gains(1.0)).ShouldBe(Verdict.LockContention);
    }

    [Fact]
    public void Verdict_IsAsyncWillHelp_WhenLocksAreTheSmallerPart() =>
        Decide(100, Mean(cpu: 1, blocked: 200), 50 * Ms, 201 * Ms).ShouldBe(Verdict.AsyncWillHelp);

    [Fact]
    public void Verdict_IsCpuBound_WhenTheThreadWorks() =>
        Decide(100, Mean(cpu: 50, blocked: 0.5), Duration.Zero, 51 * Ms).ShouldBe(Verdict.CpuBound);

    [Fact]
    public void Verdict_IsAlreadyAsync_WhenTheRequestLastsAndHoldsNothing() =>
        Decide(100, Mean(cpu: 0.2, blocked: 0), Duration.Zero, 200 * Ms).ShouldBe(Verdict.AlreadyAsync);

    // Time in which a thread does nothing isn't work.
    [Fact]
    public void Verdict_IsFine_WhenThereIsNeitherAMillisecondOfWorkNorAWaitThatCounts()
    {
        Decide(100, Mean(cpu: 0.33, blocked: 0.9), Duration.Zero, null).ShouldBe(Verdict.Fine);
        Decide(
            Window(100, Mean(cpu: 0.05, blocked: 1.5), 2 * Ms, suspensions: 0), Parts(1.5),
            Gains(1.1) with { IsBoundByCores = true }).ShouldBe(Verdict.Fine);
    }

    // 227 threads, as in a pool that was starved before: the cores would be the limit either way.
    [Fact]
    public void Verdict_IsAsyncWillHelp_WhenThreadsAreWastedThatTheRateDoesNotMiss() =>
        Decide(
            Window(100, Mean(cpu: 0.2, blocked: 20), 21 * Ms, suspensions: 0), Parts(20),
            Gains(1.0) with { IsBoundByCores = true }).ShouldBe(Verdict.AsyncWillHelp);

    [Fact]
    public void Verdict_IsFine_WhenTheRequestIsQuick() =>
        Decide(100, Mean(cpu: 0.05, blocked: 0), Duration.Zero, Ms / 10).ShouldBe(Verdict.Fine);

    [Fact]
    public void Verdict_IgnoresBlockedTime_WhenItIsASmallPartOfMuchWork() =>
        Decide(100, Mean(cpu: 100, blocked: 2), Duration.Zero, 102 * Ms).ShouldBe(Verdict.CpuBound);

    // 20 ms of work between three short delays, 32 concurrent requests on two cores: the delays end late because no core is free.
    [Fact]
    public void Verdict_IsCpuBound_WhenTheTimeAwayIsTheCrowds() =>
        Decide(Window(100, Mean(cpu: 20, blocked: 0, cpuWait: 509), 598 * Ms, suspensions: 3), default, Unlimited)
            .ShouldBe(Verdict.CpuBound);

    [Fact]
    public void Verdict_IsAlreadyAsync_WhenMoreIsAwaitedThanACrowdDelays() =>
        Decide(Window(100, Mean(cpu: 2, blocked: 0, cpuWait: 60), 262 * Ms, suspensions: 3), default, Unlimited)
            .ShouldBe(Verdict.AlreadyAsync);

    [Theory]
    [InlineData(0.0, nameof(Verdict.CpuBound))]
    [InlineData(0.09, nameof(Verdict.CpuBound))]
    [InlineData(0.1, nameof(Verdict.AlreadyAsync))]
    public void Verdict_IsAlreadyAsync_OnlyWhenRequestsLeftTheirThreads(double suspensions, string expected) =>
        Decide(Window(100, Mean(cpu: 2, blocked: 0), 200 * Ms, suspensions), default, Unlimited).ToString().ShouldBe(expected);

    // Under load: the work behind the await took 800 ms because its continuation queued for a thread.
    [Theory]
    [InlineData(50, 400, nameof(Verdict.CpuBound))]
    [InlineData(0.3, 400, nameof(Verdict.Fine))]
    [InlineData(50, 50, nameof(Verdict.AlreadyAsync))]
    public void Verdict_IsNotAlreadyAsync_WhenTheTimeAwayMayBeAQueue(double cpu, int queueDelayMs, string expected) =>
        Decide(
            Window(100, Mean(cpu, blocked: 0), 800 * Ms) with { QueueDelay = queueDelayMs * Ms }, default,
            Unlimited).ToString().ShouldBe(expected);

    [Fact]
    public void Verdict_IsTheSameInACrowd_WhenOnlyTheCoresAreTaken() =>
        Decide(Window(100, Mean(cpu: 2, blocked: 0, cpuWait: 20), 40 * Ms), default, Unlimited).ShouldBe(Verdict.AlreadyAsync);

    [Theory]
    [InlineData(1.149, nameof(Verdict.CpuBound))]
    [InlineData(1.15, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_IsAsyncWillHelp_OnlyWhenThePredictionSaysSo(double gain, string expected) =>
        Decide(
            Window(100, Mean(cpu: 10, blocked: 5), 15 * Ms), Parts(5),
            new Ceiling(20, new Rate(100, 100), new Rate(100 * gain, 100 * gain)) { IsBoundByCores = true })
            .ToString().ShouldBe(expected);

    [Theory]
    [InlineData(200, 0, 0, nameof(Verdict.Fine))]
    [InlineData(150, 0, 0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(150, 40, 0, nameof(Verdict.LockContention))]
    [InlineData(0, 0, 150, nameof(Verdict.ProviderIsSynchronous))]
    [InlineData(120, 0, 50, nameof(Verdict.ProviderIsSynchronous))]
    public void Verdict_LeavesAllowedWaitsOut_AndNamesWhatAwaitDoesNotRemove(double allowed, double locks, double provider, string expected)
    {
        var parts = new BlockedParts(200 * Ms, allowed * Ms, locks * Ms, provider * Ms);

        Decide(Window(100, Mean(cpu: 2, blocked: 200), 202 * Ms, suspensions: 0), parts, Unlimited).ToString().ShouldBe(expected);
    }

    [Fact]
    public void Verdict_IsFine_WhenLittleBesideAllowedWaitsWouldBeGained()
    {
        var parts = new BlockedParts(240 * Ms, 200 * Ms, Duration.Zero, Duration.Zero);
        var mean = Mean(cpu: 2, blocked: 240);

        Decide(Window(100, mean, 242 * Ms, suspensions: 0), parts, Gains(1.1)).ShouldBe(Verdict.Fine);
        Decide(Window(100, mean, 242 * Ms, suspensions: 0), parts, Gains(1.2)).ShouldBe(Verdict.AsyncWillHelp);
    }

    [Theory]
    [InlineData(1, 1, 0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(0.999, 1, 0, nameof(Verdict.CpuBound))]
    [InlineData(3, 17, 0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(2.99, 17, 0, nameof(Verdict.CpuBound))]
    [InlineData(2, 1, 17, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_NamesBlockedTime_FromAMillisecondAndFifteenPercentOfWhatIsHeldWithoutCpuWait(
        double blocked, double cpu, double cpuWait, string expected) =>
        Decide(100, Mean(cpu, blocked, cpuWait), Duration.Zero, null).ToString().ShouldBe(expected);

    [Fact]
    public void Verdict_IsAsyncWillHelp_WhenLocksAreExactlyHalf() =>
        Decide(100, Mean(cpu: 1, blocked: 200), 100 * Ms, 201 * Ms).ShouldBe(Verdict.AsyncWillHelp);

    [Theory]
    [InlineData(0.5, 1.0, nameof(Verdict.AlreadyAsync))]
    [InlineData(0.5, 0.999, nameof(Verdict.Fine))]
    [InlineData(5, 10.0, nameof(Verdict.AlreadyAsync))]
    [InlineData(5.001, 10.0, nameof(Verdict.CpuBound))]
    [InlineData(1, null, nameof(Verdict.CpuBound))]
    [InlineData(0.999, null, nameof(Verdict.Fine))]
    public void Verdict_IsAlreadyAsync_WhenAtMostHalfOfAMillisecondOrMoreIsHeld(double cpu, double? durationMs, string expected) =>
        Decide(100, Mean(cpu, blocked: 0), Duration.Zero, durationMs is { } ms ? ms * Ms : null).ToString().ShouldBe(expected);

    [Theory]
    [InlineData(43, 43, nameof(Verdict.Fine))]
    [InlineData(43, 0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(1, 43, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_DoesNotAccuseBlockedTimeWithoutAPlace_WhenCollectionsPausedTheProcessAsLong(
        double inGc, double withoutPlace, string expected)
    {
        var mean = new HeldSplit(58.5 * Ms, 0.5 * Ms, 15 * Ms, Duration.Zero, 43 * Ms) { BlockedInGc = inGc * Ms };
        var parts = Parts(43) with { Unclear = BlockedParts.UnclearOf(mean, withoutPlace * Ms) };

        Decide(Window(100, mean, null, suspensions: 0), parts, Unlimited).ToString().ShouldBe(expected);
    }

    // A process whose cores are all taken, as in a container with half a core, when its first requests arrive: the holder of a lock
    // waits for a core, and the others sleep at the lock.
    [Theory]
    [InlineData(240, 45, nameof(Verdict.CpuBound))]
    [InlineData(240, 0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(40, 45, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_DoesNotAccuseBlockedTimeWithoutAPlace_WhenTheCrowdMakesItLong(double cpuWait, double withoutPlace, string expected)
    {
        var mean = new HeldSplit((53 + cpuWait) * Ms, 8 * Ms, cpuWait * Ms, Duration.Zero, 45 * Ms);
        var parts = Parts(45) with { Unclear = BlockedParts.UnclearOf(mean, withoutPlace * Ms) };

        Decide(Window(100, mean, null, suspensions: 0), parts, Unlimited).ToString().ShouldBe(expected);
    }

    [Theory]
    [InlineData(280, nameof(Verdict.CpuBound))]
    [InlineData(10, nameof(Verdict.LockContention))]
    public void Verdict_DoesNotAccuseALock_WhoseHolderWaitsForACore(double cpuWait, string expected)
    {
        var mean = new HeldSplit((26 + cpuWait) * Ms, 8 * Ms, cpuWait * Ms, Duration.Zero, 18 * Ms);
        var parts = new BlockedParts(mean.Blocked, Duration.Zero, Locks: mean.Blocked, Provider: Duration.Zero);
        var ceiling = Ceiling.Create(mean, Duration.Zero, Duration.Zero, threads: 15, cores: 0.5);

        Decide(Window(100, mean, null, suspensions: 0), parts, ceiling).ToString().ShouldBe(expected);
    }

    [Fact]
    public void Unclear_IsThePausesAndAsMuchBetweenThem_AndNoMoreThanWhatHasNoPlace()
    {
        var mean = new HeldSplit(100 * Ms, 10 * Ms, default, 30 * Ms, 60 * Ms) { BlockedInGc = 20 * Ms };

        BlockedParts.UnclearOf(mean, withoutPlace: 60 * Ms).ShouldBe(40 * Ms);
        BlockedParts.UnclearOf(mean, withoutPlace: 7 * Ms).ShouldBe(7 * Ms);
        BlockedParts.UnclearOf(mean with { BlockedInGc = default }, withoutPlace: 60 * Ms).ShouldBe(Duration.Zero);
        BlockedParts.UnclearOf(mean, withoutPlace: Duration.Zero - 1.Ns()).ShouldBe(Duration.Zero);
    }

    // The thread whose turn it is to collect waits for a core as long as every other thread, and the others wait for it in that time.
    [Theory]
    [InlineData(0, 4)]
    [InlineData(1, 6)]
    [InlineData(4, 12)]
    [InlineData(7, 18)]
    [InlineData(9, 18)]
    public void Unclear_IsTheMoreOfTheTimeBetweenPauses_TheLongerAThreadWaitsForACore(long cpuWait, long unclear)
    {
        var mean = new HeldSplit(41 * Ms, Ms, cpuWait * Ms, default, (40 - cpuWait) * Ms) { BlockedInGc = 2 * Ms };

        BlockedParts.UnclearOf(mean, withoutPlace: (40 - cpuWait) * Ms).ShouldBe(unclear * Ms);
    }

    // A file was read for 20 ms while other requests collected half of the time, and the advice was that its 1.2 ms of work are too much.
    [Fact]
    public void Verdict_AccusesWaits_OfARequestThatHardlyWorks_BetweenTheCollectionsOfOthers()
    {
        var mean = new HeldSplit(24 * Ms, 1.2 * Ms, 0.4 * Ms, 0.4 * Ms, 22 * Ms) { BlockedInGc = 11 * Ms };
        var parts = Parts(22) with { Unclear = BlockedParts.UnclearOf(mean, withoutPlace: 22 * Ms) };

        parts.Unclear.ShouldBe(15 * Ms);
        Decide(Window(100, mean, null, suspensions: 0), parts, Unlimited).ShouldBe(Verdict.AsyncWillHelp);
    }

    // One stall of 60 ms gives 20 requests a mean of 3 ms, and nothing is wrong with the others.
    [Theory]
    [InlineData(1, 0.2, nameof(Verdict.Fine))]
    [InlineData(1, 5, nameof(Verdict.CpuBound))]
    [InlineData(2, 0.2, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_AccusesNothing_ThatOneRequestAloneDid(long blocking, double cpu, string expected) =>
        Verdicts.Decide(
            From(Window(20, Mean(cpu, blocked: 3), null, suspensions: 0, blocking), Parts(3), Unlimited) with
            {
                Worst = new WaitPlace("Shop.Pay"),
            }).ToString().ShouldBe(expected);

    // One stall of 300 ms, and every request also has an allowed wait.
    [Theory]
    [InlineData(4.9, nameof(Verdict.Fine))]
    [InlineData(5, nameof(Verdict.CpuBound))]
    public void Stall_OfOneRequest_IsNotWork(double cpu, string expected) =>
        Decide(
            Window(12, Mean(cpu, blocked: 30), null, suspensions: 0, blocking: 1),
            new BlockedParts(30 * Ms, 5 * Ms, Duration.Zero, Duration.Zero), Unlimited).ToString().ShouldBe(expected);

    // Two deletions of a file that took 5 ms each, among eleven requests, got the advice to await a call that has nothing to await.
    [Theory]
    [InlineData(2, 5 * 5 * 2, false, nameof(Verdict.Fine))]
    [InlineData(2, 5 * 5 * 2, true, nameof(Verdict.AsyncWillHelp))]
    [InlineData(3, 4 * 4 * 3, false, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_AccusesNoUnknownPlace_ThatFewRequestsMet(long blocking, double squares, bool isKnown, string expected) =>
        Verdicts.Decide(
            From(Window(11, Mean(cpu: 0.2, blocked: 1.1), null, suspensions: 0, blocking, squares), Parts(1.1), Unlimited) with
            {
                Worst = isKnown ? new WaitPlace("Shop.Pay") : null,
            }).ToString().ShouldBe(expected);

    // 60 ms in 20 requests. When the machine stalled during a second request, the first one's wait was once reported as a pattern.
    [Theory]
    [InlineData(2, (58 * 58) + (2 * 2), nameof(Verdict.Fine))]
    [InlineData(5, (50 * 50) + (4 * 2.5 * 2.5), nameof(Verdict.Fine))]
    [InlineData(2, (30 * 30) + (30 * 30), nameof(Verdict.AsyncWillHelp))]
    [InlineData(8, (39 * 39) + (7 * 3 * 3), nameof(Verdict.AsyncWillHelp))]

    // One has ended, and the rest of the time belongs to requests that still run.
    [InlineData(1, 20 * 20, nameof(Verdict.AsyncWillHelp))]

    // A cold request is already counted among the cold ones, but not yet among all.
    [InlineData(1, -1, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_AccusesNothing_ThatOneRequestDidMostOf(long blocking, double squares, string expected) =>
        Verdicts.Decide(
            From(Window(20, Mean(cpu: 0.2, blocked: 3), null, suspensions: 0, blocking, squares), Parts(3), Unlimited) with
            {
                Worst = new WaitPlace("Shop.Pay"),
            }).ToString().ShouldBe(expected);

    // A hub's connection blocks from time to time, and has not ended.
    [Fact]
    public void Verdict_AccusesWhatStillRuns_WhenNoneThatEndedWasBlocked() =>
        Decide(Window(20, Mean(cpu: 0.2, blocked: 3), null, suspensions: 0, blocking: 0), Parts(3), Unlimited)
            .ShouldBe(Verdict.AsyncWillHelp);

    // Thread.Sleep(20) by one client while other processes took the cores: all of it may be due to the crowd, and it was called fine.
    [Theory]
    [InlineData(34, 0.5, nameof(Verdict.NotEnoughData))]
    [InlineData(34, 21, nameof(Verdict.AsyncWillHelp))]
    [InlineData(45, 21, nameof(Verdict.CpuBound))]
    [InlineData(45, 0.5, nameof(Verdict.Fine))]
    public void Verdict_IsNotKnown_WhenMoreIsUnclearThanWorked_InACrowd(double cpuWait, double cpu, string expected)
    {
        var mean = Mean(cpu, blocked: 20, cpuWait);
        var parts = Parts(20) with { Unclear = BlockedParts.UnclearOf(mean, withoutPlace: 20 * Ms) };

        Decide(Window(100, mean, null, suspensions: 0), parts, Unlimited).ToString().ShouldBe(expected);
    }

    // At the limits: a value equal to a limit is on the side that the docs name.
    [Fact]
    public void Verdict_OfOneRequest_HoldsFromAMillisecondOn() =>
        Decide(Window(20, Mean(cpu: 0.2, blocked: 1), null, suspensions: 0, blocking: 1), Parts(1), Unlimited)
            .ShouldBe(Verdict.Fine);

    [Theory]
    [InlineData(10, 10, nameof(Verdict.CpuBound))]
    [InlineData(10, 11, nameof(Verdict.Fine))]
    [InlineData(0.5, 10, nameof(Verdict.Fine))]
    public void Work_IsTheVerdict_WhileTheAllowedWaitsAreNoMoreThanHalf(double cpu, double allowed, string expected) =>
        Decide(
            Window(20, Mean(cpu, blocked: allowed), null, suspensions: 0),
            new BlockedParts(allowed * Ms, allowed * Ms, Duration.Zero, Duration.Zero), Unlimited).ToString().ShouldBe(expected);

    [Fact]
    public void Collections_AreWork()
    {
        var mean = new HeldSplit(1.4 * Ms, 0.2 * Ms, Duration.Zero, 1.2 * Ms, Duration.Zero);

        Decide(Window(20, mean, null, suspensions: 0), Parts(0), Unlimited).ShouldBe(Verdict.CpuBound);
    }

    // Neither locks nor the provider make up most of it, and async gains almost nothing.
    [Theory]
    [InlineData(0.2, 2.5, 2.5, 0, false, nameof(Verdict.AsyncWillHelp))]
    [InlineData(0.2, 3, 3, 0, false, nameof(Verdict.LockContention))]
    [InlineData(0.2, 2.9, 4.9, 0, false, nameof(Verdict.ProviderIsSynchronous))]
    [InlineData(0.2, 3, 3, 4, false, nameof(Verdict.LockContention))]
    [InlineData(0.2, 3, 3, 6, false, nameof(Verdict.LockContention))]
    [InlineData(0.2, 3, 3, 6.5, false, nameof(Verdict.Fine))]
    [InlineData(0.2, 3, 3, 0, true, nameof(Verdict.CpuBound))]
    [InlineData(6, 3, 3, 0, false, nameof(Verdict.CpuBound))]
    [InlineData(5.9, 3, 3, 0, false, nameof(Verdict.LockContention))]
    public void Verdict_IsTheLargestOfWhatIsLeft_WhereAsyncGainsNothing(
        double cpu, double locks, double provider, double allowed, bool isBoundByCores, string expected)
    {
        var mean = Mean(cpu, blocked: 10 + allowed);
        var parts = new BlockedParts(mean.Blocked, allowed * Ms, locks * Ms, provider * Ms);

        Decide(Window(100, mean, null, suspensions: 0), parts, Gains(1) with { IsBoundByCores = isBoundByCores })
            .ToString().ShouldBe(expected);
    }

    [Theory]
    [InlineData(9, 20, true, nameof(Verdict.CpuBound))]
    [InlineData(9, 10, true, nameof(Verdict.ProviderIsSynchronous))]
    [InlineData(9, 20, false, nameof(Verdict.ProviderIsSynchronous))]
    [InlineData(5, 20, false, nameof(Verdict.AsyncWillHelp))]
    public void Provider_IsTheVerdict_WhereItIsMoreThanHalfAndTheWorkIsLess(
        double provider, double cpu, bool isBoundByCores, string expected)
    {
        var parts = new BlockedParts(10 * Ms, Duration.Zero, Duration.Zero, provider * Ms);

        Decide(
            Window(100, Mean(cpu, blocked: 10), null, suspensions: 0), parts, Gains(2) with { IsBoundByCores = isBoundByCores })
            .ToString().ShouldBe(expected);
    }

    // The continuation queued for 9.5 of the 10 ms, and the rest isn't a wait.
    [Fact]
    public void Queue_IsNoAwaitedWait() =>
        Decide(
            Window(100, Mean(cpu: 0.1, blocked: 0), 10 * Ms) with { QueueDelay = 4.75 * Ms }, Parts(0), Unlimited).ShouldBe(Verdict.Fine);

    // The runtime also waits while it works, and await doesn't remove such waits. A longer one is the application's, even if its place is
    // unknown.
    [Theory]
    [InlineData(28, 0, 28, false, nameof(Verdict.CpuBound))]
    [InlineData(20, 8, 28, false, nameof(Verdict.CpuBound))]
    [InlineData(20, 7.9, 28, false, nameof(Verdict.AsyncWillHelp))]
    [InlineData(1, 0, 20, false, nameof(Verdict.AsyncWillHelp))]
    [InlineData(1, 0, 0.9, false, nameof(Verdict.CpuBound))]
    [InlineData(1, 0, 20, true, nameof(Verdict.CpuBound))]
    [InlineData(0.5, 0, 20, true, nameof(Verdict.Fine))]
    public void Verdict_OfBlockedTimeAtNoKnownCall_IsAsyncWillHelp_OnlyIfItIsLongerThanTheWork_AndNotShownToBeTheRuntimes(
        double cpu, double gc, double blocked, bool isInRuntime, string expected)
    {
        var mean = new HeldSplit((cpu + gc + blocked) * Ms, cpu * Ms, Duration.Zero, gc * Ms, blocked * Ms);
        var parts = Parts(blocked) with { Unplaced = BlockedParts.UnplacedOf(mean, blocked * Ms, isInRuntime) };

        Decide(Window(100, mean, null, suspensions: 0), parts, Unlimited).ToString().ShouldBe(expected);
    }

    [Fact]
    public void Verdict_NamesTheLocks_WhereTheyAreMoreThanWhatIsUnexplained() =>
        Decide(
            Window(100, Mean(cpu: 8, blocked: 20), null, suspensions: 0), Parts(20) with { Locks = 9 * Ms, Unplaced = 8 * Ms }, Unlimited)
            .ShouldBe(Verdict.LockContention);

    // An idle endpoint's verdict flipped while another route was under load: the whole pool's queue delay was charged to its awaits.
    [Theory]
    [InlineData(1, nameof(Verdict.AlreadyAsync))]
    [InlineData(60, nameof(Verdict.CpuBound))]
    public void Verdict_IsAlreadyAsync_WhereTheCalmestIntervalShowsIt(int calmQueueDelayMs, string expected)
    {
        var mean = Mean(cpu: 2, blocked: 0);
        var loaded = From(Window(100, mean, 100 * Ms) with { QueueDelay = 60 * Ms }, Parts(0), Unlimited);

        Verdicts.Decide(loaded with { Calm = new AwaitedTime(mean, 100 * Ms, Suspensions: 1, calmQueueDelayMs * Ms) })
            .ToString().ShouldBe(expected);
    }

    // The semaphore lets one through at a time: awaiting it doesn't raise the rate, but frees every waiting thread.
    [Fact]
    public void Verdict_IsAsyncWillHelp_AtALimitThatStays()
    {
        var mean = Mean(cpu: 2, blocked: 60);
        var semaphore = From(Window(100, mean, null, suspensions: 0), Parts(60), Gains(1) with { IsBoundByCores = true });

        Verdicts.Decide(semaphore).ShouldBe(Verdict.CpuBound);
        Verdicts.Decide(semaphore with { Worst = new WaitPlace("Shop.Pay") { Limit = "the semaphore" } }).ShouldBe(Verdict.AsyncWillHelp);
    }
}
