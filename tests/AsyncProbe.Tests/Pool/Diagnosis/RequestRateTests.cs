using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;

namespace AsyncProbe.Tests.Pool.Diagnosis;

[Trait(Logic.Category, Logic.Name)]
public sealed class RequestRateTests
{
    [Fact]
    public void Rate_IsOfTheTimeThatPassed_AndSurvivesAReset()
    {
        var rate = new RequestRate();

        rate.Next(1000, Moment.At(5 * Duration.Second)).ShouldBeNull();
        rate.Next(1040, Moment.At(6 * Duration.Second)).ShouldBe(40);

        // The watcher was late.
        rate.Next(1100, Moment.At(8 * Duration.Second)).ShouldBe(30);
        rate.Next(25, Moment.At(9 * Duration.Second)).ShouldBe(25);
    }
}
