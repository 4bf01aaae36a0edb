namespace AsyncProbe.Integration.Tests.Blocking.Hook;

/// <summary>
/// A wait of seconds for a signal. The waiting code must not notice the hook: every test runs with it and without it, and expects the same.
/// </summary>
public abstract class LongSignalWaitTests(bool isHooked)
{
    [Fact]
    public void Semaphore_LosesOnePlace()
    {
        using var semaphore = new Semaphore(0, 5);
        LongWaiter.After(() => semaphore.Release(3));

        LongWaiter.Run(isHooked, () => semaphore.WaitOne().ShouldBeTrue()).ShouldHaveWaited();

        semaphore.WaitOne(0).ShouldBeTrue();
        semaphore.WaitOne(0).ShouldBeTrue();
        semaphore.WaitOne(0).ShouldBeFalse("of three places one was taken");
    }

    [Fact]
    public void WaitAny_SaysWhich_AndResetsOnlyThat()
    {
        AutoResetEvent[] signals = [new(false), new(false), new(false)];
        LongWaiter.After(() => signals[2].Set());

        LongWaiter.Run(isHooked, () => WaitHandle.WaitAny(signals).ShouldBe(2)).ShouldHaveWaited();

        signals.ShouldAllBe(signal => !signal.WaitOne(0));
    }

    [Fact]
    public void WaitAll_TakesNothing_UntilItHasAll()
    {
        AutoResetEvent[] signals = [new(true), new(false)];
        LongWaiter.After(() =>
        {
            // The first signal is still there for others, although it was waited for longer than a second.
            signals[0].WaitOne(0).ShouldBeTrue();
            signals[0].Set();
            signals[1].Set();
        });

        LongWaiter.Run(isHooked, () => WaitHandle.WaitAll(signals).ShouldBeTrue()).ShouldHaveWaited();

        signals.ShouldAllBe(signal => !signal.WaitOne(0));
    }

    [Fact]
    public void Timeout_ComesWhenItIsDue()
    {
        using var never = new ManualResetEvent(false);

        var waiter = LongWaiter.Run(isHooked, () => never.WaitOne(LongWaiter.Past).ShouldBeFalse());

        waiter.ShouldHaveWaited();
        WaitHandle.WaitTimeout.ShouldBe(LongWaiter.Run(isHooked, () => WaitHandle.WaitAny([never], 1100)).Result);
    }
}

[SideBySide]
public sealed class HookedLongSignalWaitTests() : LongSignalWaitTests(isHooked: true);

[SideBySide]
public sealed class PlainLongSignalWaitTests() : LongSignalWaitTests(isHooked: false);
