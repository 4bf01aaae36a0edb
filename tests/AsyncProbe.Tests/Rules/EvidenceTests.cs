using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

[Trait(Logic.Category, Logic.Name)]
public sealed class EvidenceTests
{
    [Theory]
    [InlineData(16, 20, true)]
    [InlineData(15, 20, true)]
    [InlineData(14, 20, false)]
    [InlineData(11, 20, false)]
    [InlineData(19, 19, false)]
    public void Most_NeedsTwentyHits_AndALowerBoundAboveOneHalf(int hits, int all, bool isMost) =>
        Evidence.IsMost(hits, all, Evidence.HitsForMost).ShouldBe(isMost);

    [Theory]
    [InlineData(1, 1, false)]
    [InlineData(4, 4, false)]
    [InlineData(5, 5, true)]
    [InlineData(4, 5, false)]
    public void Verdict_NeedsFiveHits_ThatLeaveNoDoubt(int hits, int all, bool isMost) =>
        Evidence.IsMost(hits, all, Evidence.HitsForAShare).ShouldBe(isMost);

    // One hit, of a cold request that resized an image, once named the place of another wait in 150 requests.
    [Theory]
    [InlineData(0, 35, 130, 300, false)]
    [InlineData(1, 35, 130, 4_915, false)]
    [InlineData(1, 0, 700, 700, true)]
    [InlineData(5, 0, 50, 4_915, true)]
    public void SampledPlace_IsWorthNaming_WithFiveHits_OrATenthOfTheTime(
        int hits, int measured, int sampled, int blocked, bool expected) =>
        new Evidence(2, measured * Duration.Millisecond, hits, sampled * Duration.Millisecond)
            .IsWorthNaming(blocked * Duration.Millisecond).ShouldBe(expected);

    [Fact]
    public void LowestShare_OfNothing_IsNothing() => Evidence.LowestShare(0, 0).ShouldBe(0);
}
