using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Requests.Counts;

[Trait(Logic.Category, Logic.Name)]
public sealed class CompletionWatchTests
{
    private readonly CompletionWatch _watch = new();

    [Fact]
    public void Watch_IsOn_AtFirst_AndOffAfterTwentyThatTookNoTime()
    {
        Follow(19, 1_000);
        _watch.IsOn.ShouldBeTrue();

        Follow(1, 1_000);
        _watch.IsOn.ShouldBeFalse();
    }

    [Fact]
    public void Watch_StaysOn_WhileOneInTwentyTakesTime()
    {
        for (var i = 0; i < 10; i++)
        {
            Follow(19, 1_000);
            Follow(1, 50_000);
        }

        _watch.IsOn.ShouldBeTrue();
    }

    [Theory]
    [InlineData(900_000, false)]
    [InlineData(1_000_000, true)]
    public void Watch_GoesOnAgain_WhenTheEndWasLongInComing(long nanoseconds, bool isOn)
    {
        Follow(20, 1_000);

        _watch.OnEnd(nanoseconds.Ns());

        _watch.IsOn.ShouldBe(isOn);
    }

    private void Follow(int times, long nanoseconds)
    {
        for (var i = 0; i < times; i++)
        {
            _watch.OnFollowed(nanoseconds.Ns());
        }
    }
}
