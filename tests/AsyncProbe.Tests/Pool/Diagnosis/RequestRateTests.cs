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

        rate.Next(1000, 5 * Nanoseconds.PerSecond).ShouldBeNull();
        rate.Next(1040, 6 * Nanoseconds.PerSecond).ShouldBe(40);

        // The watcher came late.
        rate.Next(1100, 8 * Nanoseconds.PerSecond).ShouldBe(30);
        rate.Next(25, 9 * Nanoseconds.PerSecond).ShouldBe(25);
    }
}
