using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;
using static AsyncProbe.Tests.Rules.Cases;

namespace AsyncProbe.Tests.Rules;

/// <summary>The figures at which a verdict turns.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class VerdictLimitTests
{
    private static Duration Ms => Duration.Millisecond;

    // More than half of the time, and without it the mean would be below a millisecond.
    [Theory]
    [InlineData(1.0, 15, nameof(Verdict.Fine))]
    [InlineData(1.5, 15, nameof(Verdict.AsyncWillHelp))]
    [InlineData(3.0, 41, nameof(Verdict.Fine))]
    [InlineData(3.0, 40, nameof(Verdict.AsyncWillHelp))]
    public void Verdict_AccusesNoSingleRequest_ThatIsTheReasonForTheMean(double blocked, double longest, string expected) =>
        Verdicts.Decide(
            From(Window(20, Mean(cpu: 0.2, blocked), null, suspensions: 0, blocking: 1, longest * longest), Parts(blocked), Unlimited) with
            {
                Worst = new WaitPlace("Shop.Pay"),
            }).ToString().ShouldBe(expected);

    // Two of ten requests: from a millisecond on, mostly at unknown places, and more than half of all blocked time.
    [Theory]
    [InlineData(2, 0, 0, 0, 51, true)]
    [InlineData(2, 0, 0, 0, 50, false)]
    [InlineData(1, 0, 0, 0, 20, true)]
    [InlineData(3, 1, 0, 0, 51, true)]
    [InlineData(4, 0, 1, 0, 1000, true)]
    [InlineData(4, 0, 2, 0, 1000, false)]
    [InlineData(4, 0, 1, 1, 1000, false)]
    public void FewAtAnUnknownPlace_AreThoseThatMakeUpMostOfIt(
        long blocked, long allowed, long locks, long provider, double squares, bool expected) =>
        Verdicts.IsOfFewAtUnknownPlace(new EndpointCase
        {
            Mean = Mean(cpu: 0.2, blocked), Requests = 10, BlockedRequests = 2, BlockedSquares = squares,
            Parts = new BlockedParts(blocked * Ms, allowed * Ms, locks * Ms, provider * Ms),
        }).ShouldBe(expected);

    // Of 10 ms, 4 have no place.
    [Theory]
    [InlineData(2, 0, 1, nameof(Verdict.CpuBound))]
    [InlineData(4, 0, 1, nameof(Verdict.CpuBound))]
    [InlineData(3, 2, 1, nameof(Verdict.LockContention))]
    [InlineData(2, 3, 1, nameof(Verdict.ProviderIsSynchronous))]
    [InlineData(2.5, 2.5, 1, nameof(Verdict.LockContention))]
    [InlineData(3, 2, 20, nameof(Verdict.CpuBound))]
    public void Verdict_IsOfTheLocksOrTheProvider_OnlyIfTheyAreMoreThanWhatHasNoPlace(double locks, double provider, double cpu, string expected) =>
        Decide(
            Window(100, Mean(cpu, blocked: 10), null, suspensions: 0),
            Parts(10) with { Locks = locks * Ms, Provider = provider * Ms, Unplaced = 4 * Ms },
            Unlimited with { IsBoundByCores = cpu > 10 }).ToString().ShouldBe(expected);

    [Theory]
    [InlineData(5.0, 2.0, nameof(Verdict.AsyncWillHelp))]
    [InlineData(4.9, 2.0, nameof(Verdict.CpuBound))]
    [InlineData(10.0, 10.0, nameof(Verdict.CpuBound))]
    public void Verdict_IsAsyncWillHelp_AtALimit_OnlyFromFiveMillisecondsAndMoreThanTheWork(double blocked, double cpu, string expected) =>
        Verdicts.Decide(
            From(Window(100, Mean(cpu, blocked), null, suspensions: 0), Parts(blocked), Gains(1) with { IsBoundByCores = true }) with
            {
                Worst = new WaitPlace("Shop.Pay") { Limit = "the semaphore" },
            }).ToString().ShouldBe(expected);

    [Theory]
    [InlineData(30, nameof(Verdict.CpuBound))]
    [InlineData(31, nameof(Verdict.NotEnoughData))]
    public void Verdict_IsMissing_OnlyWhereMoreIsUnclearThanHalfOfTheWaitForACore(double unclear, string expected)
    {
        var mean = new HeldSplit(101 * Ms, 10 * Ms, 60 * Ms, default, 31 * Ms);

        Decide(Window(100, mean, null, suspensions: 0), new BlockedParts(unclear * Ms, default, default, default) with { Unclear = unclear * Ms }, Unlimited)
            .ToString().ShouldBe(expected);
    }
}
