using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Tests.Pool.Sampling;

[Trait(Logic.Category, Logic.Name)]
public sealed class QueueDelayTests
{
    [Fact]
    public void Delay_IsNotThatOfAnItem_ThatCouldNotBeQueued()
    {
        var queued = new List<IThreadPoolWorkItem>();
        var hasMemory = false;
        var delay = new QueueDelay(item =>
        {
            if (!hasMemory)
            {
                throw new InsufficientMemoryException();
            }

            queued.Add(item);
        });

        Should.Throw<InsufficientMemoryException>(() => delay.Measure());

        delay.IsWaiting.ShouldBeFalse("nothing waits, and the pool would count as starved until the process ends");
        delay.Current.ShouldBe(Duration.Zero);

        hasMemory = true;
        delay.Measure();
        queued.ShouldHaveSingleItem().ShouldBeSameAs(delay);
        delay.IsWaiting.ShouldBeTrue();
    }
}
