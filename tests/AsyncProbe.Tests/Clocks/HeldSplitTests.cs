using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Clocks;

[Trait(Logic.Category, Logic.Name)]
public sealed class HeldSplitTests
{
    private static Duration Ms => Duration.Millisecond;

    [Fact]
    public void BlockedOutsideGc_LeavesOutWhatTheCollectorMayAccountFor() =>
        (new HeldSplit(10 * Ms, default, default, default, 10 * Ms) { BlockedInGc = 3 * Ms }).BlockedOutsideGc.ShouldBe(7 * Ms);

    [Theory]
    [InlineData(1.0, 1.5, true)]
    [InlineData(0.99, 1.5, false)]
    [InlineData(1.0, 2.0, false)]
    public void CpuWait_IsMostOfIt_FromAMillisecondAndMoreThanHalf(double cpuWait, double held, bool expected) =>
        new HeldSplit(held * Ms, default, cpuWait * Ms, default, default).IsMostlyCpuWait.ShouldBe(expected);

    [Fact]
    public void Split_CallsTheRestBlocked_WhenTheThreadGaveUpItsCore() =>
        HeldSplit.Create(200 * Ms, 10 * Ms, 5 * Ms, default, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 10 * Ms, 5 * Ms, default, 185 * Ms));

    [Fact]
    public void Split_CallsTheRestCpuWait_WhenTheThreadNeverGaveUpItsCore() =>
        HeldSplit.Create(200 * Ms, 150 * Ms, 30 * Ms, default, mayHaveBlocked: false)
            .ShouldBe(new HeldSplit(200 * Ms, 150 * Ms, 50 * Ms, default, default));

    [Fact]
    public void Split_ChargesNoPauseToASleeper_WhenTheCollectorRanMeanwhile() =>
        HeldSplit.Create(200 * Ms, default, default, 80 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, default, default, default, 200 * Ms) { BlockedInGc = 80 * Ms });

    [Fact]
    public void Split_ChargesTheWholePauseToAWorker_WhenItWantedToRunAllTheTime() =>
        HeldSplit.Create(200 * Ms, 150 * Ms, default, 50 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 150 * Ms, default, 50 * Ms, default));

    [Fact]
    public void Split_ChargesThePauseByHalf_WhenTheThreadWantedToRunHalfTheTime()
    {
        var split = HeldSplit.Create(220 * Ms, 100 * Ms, default, 20 * Ms, mayHaveBlocked: true);

        split.Gc.ShouldBe(10 * Ms);
        split.Blocked.ShouldBe(110 * Ms);
    }

    [Fact]
    public void Split_ChargesThePauseToAThreadThatWaitedForACore_AsToOneThatRan() =>
        HeldSplit.Create(220 * Ms, 60 * Ms, 40 * Ms, 20 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(220 * Ms, 60 * Ms, 40 * Ms, 10 * Ms, 110 * Ms) { BlockedInGc = 10 * Ms });

    [Fact]
    public void BlockedInGc_IsNoMoreThanIsBlocked_WhenThePauseWasLonger() =>
        HeldSplit.Create(20 * Ms, default, 2 * Ms, 18 * Ms, mayHaveBlocked: true)
            .ShouldSatisfyAllConditions(
                s => s.Gc.ShouldBe(18 * Ms),
                s => s.Blocked.ShouldBe(Duration.Zero),
                s => s.BlockedInGc.ShouldBe(Duration.Zero));

    [Fact]
    public void BlockedInGc_IsNothing_WhenTheThreadNeverGaveUpItsCore() =>
        HeldSplit.Create(200 * Ms, 100 * Ms, default, 50 * Ms, mayHaveBlocked: false).BlockedInGc.ShouldBe(Duration.Zero);

    [Theory]
    [InlineData(50, 20, 10, 60, 20)]
    [InlineData(50, 0, 0, 50, 50)]
    public void Split_ChargesThePauseForAllThatIsLeft_WhenItLastedLongerThanTheSegment(
        long held, long cpu, long cpuWait, long gcPause, long gc)
    {
        var split = HeldSplit.Create(held.Ns(), cpu.Ns(), cpuWait.Ns(), gcPause.Ns(), mayHaveBlocked: true);

        split.Gc.ShouldBe(gc.Ns());
        split.Blocked.ShouldBe(Duration.Zero);
    }

    [Fact]
    public void Splits_AddAndSubtractPartByPart()
    {
        var one = Split(15, 1, 2, 4, 8) with { BlockedInGc = 3.Ns() };
        var two = Split(150, 10, 20, 40, 80) with { BlockedInGc = 30.Ns() };

        (one + two).ShouldBe(Split(165, 11, 22, 44, 88) with { BlockedInGc = 33.Ns() });
        (two - one).ShouldBe(Split(135, 9, 18, 36, 72) with { BlockedInGc = 27.Ns() });
        (two / 10).ShouldBe(Split(15, 1, 2, 4, 8) with { BlockedInGc = 3.Ns() });
    }

    [Fact]
    public void Scaled_KeepsTheProportions_AndAddsUp() =>
        (Split(151, 10, 20, 40, 81) with { BlockedInGc = 60.Ns() }).Scaled(0.5)
            .ShouldBe(Split(75, 5, 10, 20, 40) with { BlockedInGc = 30.Ns() });

    [Fact]
    public void ShortSegment_IsWork() => HeldSplit.AllCpu(40.Ns()).ShouldBe(Split(40, 40, 0, 0, 0));

    [Theory]
    [InlineData(1, 5, 3, 2, true)]
    [InlineData(10, 4, 20, 9, true)]
    [InlineData(10, 4, 20, 9, false)]
    [InlineData(10, -3, -1, -1, true)]
    [InlineData(0, 0, 0, 0, true)]
    [InlineData(50, 20, 10, 49, true)]
    public void Split_AddsUpToHeldAndIsNeverNegative_WhateverTheClocksSay(long held, long cpu, long cpuWait, long gc, bool mayHaveBlocked)
    {
        var split = HeldSplit.Create(held.Ns(), cpu.Ns(), cpuWait.Ns(), gc.Ns(), mayHaveBlocked);

        (split.Cpu + split.CpuWait + split.Gc + split.Blocked).ShouldBe(held.Ns());
        new[] { split.Cpu, split.CpuWait, split.Gc, split.Blocked }.ShouldAllBe(part => part >= Duration.Zero);
    }

    private static HeldSplit Split(long held, long cpu, long cpuWait, long gc, long blocked) =>
        new(held.Ns(), cpu.Ns(), cpuWait.Ns(), gc.Ns(), blocked.Ns());
}
