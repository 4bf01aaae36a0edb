using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Hook;

[Trait(Logic.Category, Logic.Name)]
public sealed class StackBudgetTests
{
    private const int Most = 32;

    private static Timestamp Start => Moment.At(1000 * Duration.Second);

    [Fact]
    public void Thread_TakesFewStacksInVain_HoweverOftenItWaits()
    {
        var budget = default(StackBudget);
        var taken = Enumerable.Range(0, 100_000).Count(i => budget.TryTake(Start + Duration.FromMicroseconds(10 * i)));

        taken.ShouldBeInRange(Most + 90, Most + 110, "a hundred a second, and a few at once");
    }

    [Fact]
    public void Thread_TakesSoManyAtOnce_AndOneMoreForEachThatIsGivenBack()
    {
        var budget = default(StackBudget);
        Enumerable.Range(0, 100).Count(_ => budget.TryTake(Start)).ShouldBe(Most);

        budget.GiveBack();

        budget.TryTake(Start).ShouldBeTrue();
        budget.TryTake(Start).ShouldBeFalse();
    }

    [Fact]
    public void WaitThatIsReported_CostsNothing()
    {
        var budget = default(StackBudget);
        for (var i = 0; i < 1000; i++)
        {
            budget.TryTake(Start).ShouldBeTrue();
            budget.GiveBack();
        }
    }
}
