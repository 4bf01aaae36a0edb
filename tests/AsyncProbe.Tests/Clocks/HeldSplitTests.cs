using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Clocks;

[Trait(Logic.Category, Logic.Name)]
public sealed class HeldSplitTests
{
    private const long Ms = Nanoseconds.PerMillisecond;

    [Fact]
    public void Split_CallsTheRestBlocked_WhenTheThreadGaveUpItsCore() =>
        HeldSplit.Create(200 * Ms, 10 * Ms, 5 * Ms, 0, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 10 * Ms, 5 * Ms, 0, 185 * Ms));

    [Fact]
    public void Split_CallsTheRestCpuWait_WhenTheThreadNeverGaveUpItsCore() =>
        HeldSplit.Create(200 * Ms, 150 * Ms, 30 * Ms, 0, mayHaveBlocked: false)
            .ShouldBe(new HeldSplit(200 * Ms, 150 * Ms, 50 * Ms, 0, 0));

    [Fact]
    public void Split_ChargesNoPauseToASleeper_WhenTheCollectorRanMeanwhile() =>
        HeldSplit.Create(200 * Ms, 0, 0, 80 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 0, 0, 0, 200 * Ms));

    [Fact]
    public void Split_ChargesTheWholePauseToAWorker_WhenItWantedToRunAllTheTime() =>
        HeldSplit.Create(200 * Ms, 150 * Ms, 0, 50 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 150 * Ms, 0, 50 * Ms, 0));

    [Fact]
    public void Split_ChargesThePauseByHalf_WhenTheThreadWantedToRunHalfTheTime()
    {
        var split = HeldSplit.Create(220 * Ms, 100 * Ms, 0, 20 * Ms, mayHaveBlocked: true);

        split.Gc.ShouldBe(10 * Ms);
        split.Blocked.ShouldBe(110 * Ms);
    }

    [Fact]
    public void Split_ChargesThePauseToAThreadThatWaitedForACore_AsToOneThatRan() =>
        HeldSplit.Create(220 * Ms, 60 * Ms, 40 * Ms, 20 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(220 * Ms, 60 * Ms, 40 * Ms, 10 * Ms, 110 * Ms));

    [Theory]
    [InlineData(50, 20, 10, 60, 20)]
    [InlineData(50, 0, 0, 50, 50)]
    public void Split_ChargesThePauseForAllThatIsLeft_WhenItLastedLongerThanTheSegment(long held, long cpu, long cpuWait, long gcPause, long gc)
    {
        var split = HeldSplit.Create(held, cpu, cpuWait, gcPause, mayHaveBlocked: true);

        split.Gc.ShouldBe(gc);
        split.Blocked.ShouldBe(0);
    }

    [Fact]
    public void Splits_AddAndSubtractPartByPart()
    {
        var one = new HeldSplit(15, 1, 2, 4, 8);
        var two = new HeldSplit(150, 10, 20, 40, 80);

        (one + two).ShouldBe(new HeldSplit(165, 11, 22, 44, 88));
        (two - one).ShouldBe(new HeldSplit(135, 9, 18, 36, 72));
    }

    [Fact]
    public void Scaled_KeepsTheProportions_AndAddsUp() =>
        new HeldSplit(151, 10, 20, 40, 81).Scaled(0.5).ShouldBe(new HeldSplit(75, 5, 10, 20, 40));

    [Fact]
    public void ShortSegment_IsWork() => HeldSplit.AllCpu(40).ShouldBe(new HeldSplit(40, 40, 0, 0, 0));

    [Theory]
    [InlineData(1, 5, 3, 2, true)]
    [InlineData(10, 4, 20, 9, true)]
    [InlineData(10, 4, 20, 9, false)]
    [InlineData(10, -3, -1, -1, true)]
    [InlineData(0, 0, 0, 0, true)]
    [InlineData(50, 20, 10, 49, true)]
    public void Split_AddsUpToHeldAndIsNeverNegative_WhateverTheClocksSay(long held, long cpu, long cpuWait, long gc, bool mayHaveBlocked)
    {
        var split = HeldSplit.Create(held, cpu, cpuWait, gc, mayHaveBlocked);

        (split.Cpu + split.CpuWait + split.Gc + split.Blocked).ShouldBe(held);
        new[] { split.Cpu, split.CpuWait, split.Gc, split.Blocked }.ShouldAllBe(part => part >= 0);
    }
}
