using AsyncProbe.Blocking.Sampling;

namespace AsyncProbe.Tests.Blocking.Sampling;

[Trait(Logic.Category, Logic.Name)]
public sealed class WindowBudgetTests
{
    private readonly ManualTime _time = new();

    [Theory]
    [InlineData(100, 300, 1, 30)]
    [InlineData(20, 300, 1, 40)]
    [InlineData(150, 50, 1, 20)]
    [InlineData(0, 0, 1, 240)]
    [InlineData(150, 300, 5, 100)]
    public void Windows_UseUpTheTighterLimit_InAnyTenMinutes(int cpuMs, int sampledMs, int times, int expected)
    {
        var budget = new WindowBudget(_time, isDevelopment: times > 1);
        List<TimeSpan> begun = [];
        for (var now = TimeSpan.Zero; now < TimeSpan.FromHours(1); now += TimeSpan.FromSeconds(1))
        {
            if (budget.AllowsOne())
            {
                budget.Charge(TimeSpan.FromMilliseconds(cpuMs), TimeSpan.FromMilliseconds(sampledMs));
                begun.Add(now);
            }

            _time.Advance(TimeSpan.FromSeconds(1));
        }

        var most = begun.Max(from => begun.Count(at => at >= from && at < from + TimeSpan.FromMinutes(10)));
        most.ShouldBe(expected);

        // The last ten minutes have as many as the first, because the past is forgotten.
        begun.Count(at => at >= TimeSpan.FromMinutes(50)).ShouldBeInRange(most - 1, most);
    }

    [Fact]
    public void Window_Waits_AfterOneThatCostMoreThanAll()
    {
        var budget = new WindowBudget(_time, isDevelopment: false);
        budget.Charge(TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(1));

        budget.AllowsOne().ShouldBeFalse();
        _time.Advance(WindowBudget.Period - TimeSpan.FromSeconds(1));
        budget.AllowsOne().ShouldBeFalse();
        _time.Advance(TimeSpan.FromSeconds(1));
        budget.AllowsOne().ShouldBeTrue();
    }
}
