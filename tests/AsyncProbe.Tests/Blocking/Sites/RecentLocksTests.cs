using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Sites;

[Trait(Logic.Category, Logic.Name)]
public sealed class RecentLocksTests
{
    private static Duration Ms => Duration.Millisecond;

    // When a thread had waited for locks for seconds in other requests, a lock of one millisecond within a command once cost all its time.
    [Fact]
    public void Sum_IsOfTheLocksSinceThen_HoweverLongTheThreadWaitedBefore()
    {
        var locks = new RecentLocks();
        locks.Add(Moment.At(5_000 * Ms), 4_000 * Ms);
        locks.Add(Moment.At(10_019 * Ms), 1 * Ms);

        locks.SumWithin(Moment.At(10_000 * Ms)).ShouldBe(1 * Ms);
        locks.SumWithin(Moment.At(10_020 * Ms)).ShouldBe(Duration.Zero);
    }

    // EF Core's event came a millisecond after the command, so the part of a lock before the calculated start was counted twice.
    [Fact]
    public void Sum_HoldsALockWhole_ThatSeemsToHaveBegunBefore()
    {
        var locks = new RecentLocks();
        locks.Add(Moment.At(110 * Ms), 20 * Ms);

        locks.SumWithin(Moment.At(91 * Ms)).ShouldBe(20 * Ms);
    }

    [Fact]
    public void Sum_IsOfTheLastEight()
    {
        var locks = new RecentLocks();
        for (var i = 1; i <= 20; i++)
        {
            locks.Add(Moment.At(i * 10 * Ms), 1 * Ms);
        }

        locks.SumWithin(Moment.At(1 * Ms)).ShouldBe(8 * Ms);
    }
}
