using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Requests;

[Trait(Logic.Category, Logic.Name)]
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

    [Theory]
    [InlineData(1, 1, 0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(0.999, 1, 0, nameof(Verdict.CpuBound))]
    [InlineData(3, 17, 0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(2.99, 17, 0, nameof(Verdict.CpuBound))]
    [InlineData(2, 1, 17, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_NamesBlockedTime_FromAMillisecondAndFifteenPercentOfWhatIsHeldWithoutWaiting(
        double blocked, double cpu, double waiting, string expected) =>
        Verdicts.Decide(100, Mean(cpu, blocked, waiting), 0, null).ToString().ShouldBe(expected);

    [Fact]
    public void Verdict_IsAsyncWillHelp_WhenLocksAreExactlyHalf() =>
        Verdicts.Decide(100, Mean(cpu: 1, blocked: 200), 100 * Ms, 201 * Ms).ShouldBe(Verdict.AsyncWillHelp);

    [Theory]
    [InlineData(0.5, 1.0, nameof(Verdict.AlreadyAsync))]
    [InlineData(0.5, 0.999, nameof(Verdict.Fine))]
    [InlineData(5, 10.0, nameof(Verdict.AlreadyAsync))]
    [InlineData(5.001, 10.0, nameof(Verdict.CpuBound))]
    [InlineData(1, null, nameof(Verdict.CpuBound))]
    [InlineData(0.999, null, nameof(Verdict.Fine))]
    public void Verdict_IsAlreadyAsync_WhenAtMostHalfOfAMillisecondOrMoreIsHeld(double cpu, double? durationMs, string expected) =>
        Verdicts.Decide(100, Mean(cpu, blocked: 0), 0, durationMs is { } ms ? (long)(ms * Ms) : null).ToString().ShouldBe(expected);

    private static HeldSplit Mean(double cpu, double blocked, double waiting = 0) =>
        new((long)((cpu + blocked + waiting) * Ms), (long)(cpu * Ms), (long)(waiting * Ms), 0, (long)(blocked * Ms));
}
