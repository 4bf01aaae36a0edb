using AsyncProbe.Common;

namespace AsyncProbe.Tests.Common;

[Trait(Logic.Category, Logic.Name)]
public sealed class CounterTests
{
    [Fact]
    public async Task Sum_AndMaximum_LoseNothing_WhenManyThreadsAdd()
    {
        const int Threads = 4;
        const int Times = 10_000;
        var (sum, maximum) = (Duration.Zero, Duration.Zero);

        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(() =>
        {
            for (var i = 0; i < Times; i++)
            {
                Counter.Add(ref sum, 1.Ns());
                Counter.Raise(ref maximum, ((i * Threads) + thread).Ns());
            }
        }))).WaitAsync(TimeSpan.FromMinutes(1));

        Counter.Read(ref sum).ShouldBe((Threads * Times).Ns());
        Counter.Read(ref maximum).ShouldBe(((Threads * Times) - 1).Ns());
        Counter.Take(ref sum).ShouldBe((Threads * Times).Ns());
        sum.ShouldBe(Duration.Zero);
    }

    [Fact]
    public void Moment_IsReplaced_ByOneOnly()
    {
        Timestamp moment = default;
        var now = Moment.At(Duration.Second);

        Counter.TryReplace(ref moment, default, now).ShouldBeTrue();
        Counter.TryReplace(ref moment, default, Moment.At(2 * Duration.Second)).ShouldBeFalse();

        Counter.Read(ref moment).ShouldBe(now);
    }
}
