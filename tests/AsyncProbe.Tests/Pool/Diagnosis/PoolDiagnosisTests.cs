using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Pool.Diagnosis;

/// <summary>What helps until the code is fixed, and which of two diagnoses is more useful.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class PoolDiagnosisTests
{
    [Theory]
    [InlineData(8, 32, 40)]
    [InlineData(8, 33, 50)]
    [InlineData(8, 1, 10)]
    [InlineData(8, 5000, 1000)]
    public void Minimum_IsWhatIsHeldAndQueued_RoundedUp(int busy, int pending, int expected) =>
        Blocked(busy, pending).HelpfulMinimum.ShouldBe(expected);

    [Fact]
    public void Minimum_IsNoMoreThanThePoolMayHave() => Blocked(8, 32, maximum: 16).HelpfulMinimum.ShouldBe(16);

    [Theory]
    [InlineData(39, 40)]
    [InlineData(40, null)]
    [InlineData(41, null)]
    public void Minimum_IsAboveTheOneThereIs(int minimum, int? expected) =>
        Blocked(8, 32, minimum: minimum).HelpfulMinimum.ShouldBe(expected);

    [Fact]
    public void Minimum_IsNotTheTrouble_WhenNothingWaitsOrAThreadIsFree()
    {
        Blocked(8, 0).HelpfulMinimum.ShouldBeNull();
        Blocked(7, 32).HelpfulMinimum.ShouldBeNull();
        (Blocked(8, 32) with { Cause = PoolCause.Cpu }).HelpfulMinimum.ShouldBeNull();
    }

    [Fact]
    public void WhatHelpsNow_IsASettingOfTheCause()
    {
        var blocked = Blocked(8, 32, minimum: 4, maximum: 12) with { RecommendedMinimum = 40 };

        var minimum = blocked.DoNow.ShouldNotBeNull();
        minimum.Threads.ShouldBe(40);
        minimum.Why.ShouldMatch(" 40 threads .* minimum of 4");
        (blocked with { RecommendedMinimum = null }).DoNow.ShouldBeNull();
        (blocked with { Cause = PoolCause.Cpu }).DoNow.ShouldBeNull();

        var maximum = (blocked with { Cause = PoolCause.Deadlock }).DoNow.ShouldNotBeNull();
        maximum.Threads.ShouldBe(1000);
        maximum.Why.ShouldContain("maximum of 12");
    }

    [Fact]
    public void Worth_GrowsWithWhatIsKnown()
    {
        var named = Blocked(8, 32);
        var looked = named with { Site = null, Seen = WaitsSeen.NothingFound };

        PoolDiagnosis[] rising =
        [
            named with { Cause = PoolCause.Unknown },
            named with { Site = null, Seen = WaitsSeen.NotLooked },
            looked,
            named,
            named with { Cause = PoolCause.Deadlock },
        ];
        rising.Select(d => d.Worth).ShouldBe([0, 1, 2, 3, 4]);
        rising.Select(d => d.IsSiteUnseen).ShouldBe([false, false, true, false, false]);
        (named with { Cause = PoolCause.None }).Worth.ShouldBe(0);
        (named with { Seen = WaitsSeen.NothingFound }).IsSiteUnseen.ShouldBeFalse();
    }

    private static PoolDiagnosis Blocked(int busy, int pending, int minimum = 2, int maximum = 32_767)
    {
        var sample = new PoolSample(DateTime.UtcNow, Threads: 8, pending, Completed: 1, busy, Duration.Second, Duration.Second)
        {
            MinimumThreads = minimum,
            MaximumThreads = maximum,
        };
        return new PoolDiagnosis(PoolCause.Blocked, sample, busy, busy, "GET /orders", busy, "Orders.Load (Orders.cs:42)");
    }
}
