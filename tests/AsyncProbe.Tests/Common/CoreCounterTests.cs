using AsyncProbe.Common;

namespace AsyncProbe.Tests.Common;

public sealed class CoreCounterTests
{
    [Fact]
    public void Sum_IsRight_WhenAnotherCoreTakesAwayWhatOneAdded()
    {
        var counter = new CoreCounter(cores: 4);

        counter.Add(0, 1);
        counter.Add(1, 1);
        counter.Add(3, -1);

        counter.Sum().ShouldBe(1);
    }
}
