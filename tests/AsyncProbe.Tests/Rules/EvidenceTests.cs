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

    [Fact]
    public void LowestShare_OfNothing_IsNothing() => Evidence.LowestShare(0, 0).ShouldBe(0);
}
