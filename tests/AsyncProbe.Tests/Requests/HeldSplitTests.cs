using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Requests;

public sealed class HeldSplitTests
{
    private const long Ms = Nanoseconds.PerMillisecond;

    [Fact]
    public void Split_CallsTheRestBlocked_WhenTheThreadGaveUpItsCore() =>
        HeldSplit.Of(200 * Ms, 10 * Ms, 5 * Ms, 0, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 10 * Ms, 5 * Ms, 0, 185 * Ms));

    [Fact]
    public void Split_CallsTheRestWaiting_WhenTheThreadNeverGaveUpItsCore() =>
        HeldSplit.Of(200 * Ms, 150 * Ms, 30 * Ms, 0, mayHaveBlocked: false)
            .ShouldBe(new HeldSplit(200 * Ms, 150 * Ms, 50 * Ms, 0, 0));

    [Fact]
    public void Split_ChargesNoPauseToASleeper_WhenTheCollectorRanMeanwhile() =>
        HeldSplit.Of(200 * Ms, 0, 0, 80 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 0, 0, 0, 200 * Ms));

    [Fact]
    public void Split_ChargesTheWholePauseToAWorker_WhenItWantedToRunAllTheTime() =>
        HeldSplit.Of(200 * Ms, 150 * Ms, 0, 50 * Ms, mayHaveBlocked: true)
            .ShouldBe(new HeldSplit(200 * Ms, 150 * Ms, 0, 50 * Ms, 0));

    [Fact]
    public void Split_ChargesThePauseByHalf_WhenTheThreadWantedToRunHalfTheTime()
    {
        var split = HeldSplit.Of(220 * Ms, 100 * Ms, 0, 20 * Ms, mayHaveBlocked: true);

        split.Gc.ShouldBe(10 * Ms);
        split.Blocked.ShouldBe(110 * Ms);
    }

    [Theory]
    [InlineData(1, 5, 3, 2, true)]
    [InlineData(10, 4, 20, 9, true)]
    [InlineData(10, 4, 20, 9, false)]
    [InlineData(10, -3, -1, -1, true)]
    [InlineData(0, 0, 0, 0, true)]
    [InlineData(50, 20, 10, 49, true)]
    public void Split_AddsUpToHeldAndIsNeverNegative_WhateverTheClocksSay(long held, long cpu, long waiting, long gc, bool mayHaveBlocked)
    {
        var split = HeldSplit.Of(held, cpu, waiting, gc, mayHaveBlocked);

        (split.Cpu + split.Waiting + split.Gc + split.Blocked).ShouldBe(held);
        new[] { split.Cpu, split.Waiting, split.Gc, split.Blocked }.ShouldAllBe(part => part >= 0);
    }
}
