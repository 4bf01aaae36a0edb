using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Requests;

public sealed class VerdictTests
{
    private const long Ms = Nanoseconds.PerMillisecond;

    [Fact]
    public void Verdict_WaitsForData_WhenFewRequestsWereWarm() =>
        Verdicts.Decide(Verdicts.RequestsNeeded - 1, Mean(cpu: 0, blocked: 200), 0, 200 * Ms).ShouldBe(Verdict.NotEnoughData);

    [Fact]
    public void Verdict_IsAsyncWillHelp_WhenTheThreadIsBlocked() =>
        Verdicts.Decide(Verdicts.RequestsNeeded, Mean(cpu: 1, blocked: 200), 0, 201 * Ms).ShouldBe(Verdict.AsyncWillHelp);

    [Fact]
    public void Verdict_IsLockContention_WhenMostOfTheBlockedTimeIsLocks() =>
        Verdicts.Decide(100, Mean(cpu: 1, blocked: 200), 150 * Ms, 201 * Ms).ShouldBe(Verdict.LockContention);

    [Fact]
    public void Verdict_IsAsyncWillHelp_WhenLocksAreTheSmallerPart() =>
        Verdicts.Decide(100, Mean(cpu: 1, blocked: 200), 50 * Ms, 201 * Ms).ShouldBe(Verdict.AsyncWillHelp);

    [Fact]
    public void Verdict_IsCpuBound_WhenTheThreadWorks() =>
        Verdicts.Decide(100, Mean(cpu: 50, blocked: 0.5), 0, 51 * Ms).ShouldBe(Verdict.CpuBound);

    [Fact]
    public void Verdict_IsAlreadyAsync_WhenTheRequestLastsAndHoldsNothing() =>
        Verdicts.Decide(100, Mean(cpu: 0.2, blocked: 0), 0, 200 * Ms).ShouldBe(Verdict.AlreadyAsync);

    [Fact]
    public void Verdict_IsFine_WhenTheRequestIsQuick() =>
        Verdicts.Decide(100, Mean(cpu: 0.05, blocked: 0), 0, Ms / 10).ShouldBe(Verdict.Fine);

    [Fact]
    public void Verdict_IgnoresBlockedTime_WhenItIsASmallPartOfMuchWork() =>
        Verdicts.Decide(100, Mean(cpu: 100, blocked: 2), 0, 102 * Ms).ShouldBe(Verdict.CpuBound);

    private static HeldSplit Mean(double cpu, double blocked) =>
        new((long)((cpu + blocked) * Ms), (long)(cpu * Ms), 0, 0, (long)(blocked * Ms));
}
