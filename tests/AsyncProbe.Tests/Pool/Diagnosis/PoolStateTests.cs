using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;

namespace AsyncProbe.Tests.Pool.Diagnosis;

public sealed class PoolStateTests
{
    private readonly PoolState _state = new(50 * Duration.Millisecond, 500 * Duration.Millisecond);

    [Fact]
    public void State_IsHealthy_AtFirst() => _state.Condition.ShouldBe(PoolCondition.Healthy);

    [Fact]
    public void State_IsStarved_AfterTwoTicksAboveTheThreshold()
    {
        Feed(500).ShouldBeFalse();
        Feed(600).ShouldBeTrue();

        _state.Condition.ShouldBe(PoolCondition.Starved);
    }

    [Fact]
    public void State_IsQueueing_AfterThreeTicksAboveItsThreshold()
    {
        Feed(50, 60).ShouldBeFalse();
        Feed(70).ShouldBeTrue();

        _state.Condition.ShouldBe(PoolCondition.Queueing);
    }

    [Theory]
    [InlineData(5000, 0, 5000, 0, 5000)]
    [InlineData(60, 60, 0, 60, 60)]
    public void State_StaysHealthy_ForSingleBlips(params int[] delays)
    {
        Feed(delays);

        _state.Condition.ShouldBe(PoolCondition.Healthy);
    }

    [Fact]
    public void State_Worsens_FromQueueingToStarved()
    {
        Feed(60, 60, 60);
        Feed(500, 500);

        _state.Condition.ShouldBe(PoolCondition.Starved);
    }

    [Fact]
    public void State_IsHealthyAgain_AfterASecondWellBelow()
    {
        Feed(600, 600);
        Feed([.. Enumerable.Repeat(0, 9)]);
        _state.Condition.ShouldBe(PoolCondition.Starved);

        Feed(0).ShouldBeTrue();

        _state.Condition.ShouldBe(PoolCondition.Healthy);
    }

    [Fact]
    public void State_StaysStarved_WhileTheDelaySwingsAroundTheThreshold()
    {
        Feed(600, 600);
        for (var i = 0; i < 50; i++)
        {
            Feed(300, 499, 0, 510).ShouldBeFalse();
        }
    }

    [Fact]
    public void State_FallsToTheWorstOfTheCalmSecond()
    {
        Feed(600, 600);
        Feed(0, 0, 0, 40, 0, 0, 0, 0, 0, 0);

        _state.Condition.ShouldBe(PoolCondition.Queueing);
        _state.CalmQueueDelay.ShouldBe(40 * Duration.Millisecond);
    }

    private bool Feed(params int[] delays)
    {
        var hasChanged = false;
        foreach (var delay in delays)
        {
            hasChanged |= _state.Update(delay * Duration.Millisecond);
        }

        return hasChanged;
    }
}
