namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>
/// A wait of seconds under the hook. The code that waits must not notice: every test runs with the hook and without, and expects the same.
/// </summary>
public abstract class LongWaitTests(bool isHooked)
{
    // The hook once let a wait last for a second in one piece; longer than that also for a thread that starts late.
    private static readonly TimeSpan s_past = TimeSpan.FromMilliseconds(2000);

    [Fact]
    public void AbandonedMutex_Throws_AndIsTaken()
    {
        using var mutex = new Mutex();
        using var taken = new ManualResetEvent(false);
        var owner = new Thread(() =>
        {
            mutex.WaitOne();
            taken.Set();
            Thread.Sleep(s_past);
        });
        owner.Start();
        taken.WaitOne();

        var waiter = LongWaiter.Run(isHooked, () =>
        {
            Should.Throw<AbandonedMutexException>(() => mutex.WaitOne());
            mutex.ReleaseMutex();
        });

        waiter.ShouldHaveWaited();
    }

    [Fact]
    public void AbandonedMutexAmongOthers_IsNamedByItsIndex()
    {
        using var never = new ManualResetEvent(false);
        using var mutex = new Mutex();
        using var taken = new ManualResetEvent(false);
        new Thread(() =>
        {
            mutex.WaitOne();
            taken.Set();
            Thread.Sleep(s_past);
        }).Start();
        taken.WaitOne();

        var waiter = LongWaiter.Run(isHooked, () =>
        {
            var e = Should.Throw<AbandonedMutexException>(() => WaitHandle.WaitAny([never, mutex]));
            e.MutexIndex.ShouldBe(1);
            e.Mutex.ShouldBe(mutex);
            mutex.ReleaseMutex();
        });

        waiter.ShouldHaveWaited();
    }

    [Fact]
    public void Mutex_IsTakenOnce()
    {
        using var mutex = new Mutex();
        using var taken = new ManualResetEvent(false);
        new Thread(() =>
        {
            mutex.WaitOne();
            taken.Set();
            Thread.Sleep(s_past);
            mutex.ReleaseMutex();
        }).Start();
        taken.WaitOne();

        LongWaiter.Run(isHooked, () =>
        {
            mutex.WaitOne().ShouldBeTrue();
            mutex.ReleaseMutex();
            Should.Throw<ApplicationException>(mutex.ReleaseMutex);
        }).ShouldHaveWaited();
    }

    [Fact]
    public void Semaphore_LosesOnePlace()
    {
        using var semaphore = new Semaphore(0, 5);
        After(() => semaphore.Release(3));

        LongWaiter.Run(isHooked, () => semaphore.WaitOne().ShouldBeTrue()).ShouldHaveWaited();

        semaphore.WaitOne(0).ShouldBeTrue();
        semaphore.WaitOne(0).ShouldBeTrue();
        semaphore.WaitOne(0).ShouldBeFalse("of three places one was taken");
    }

    [Fact]
    public void WaitAny_SaysWhich_AndResetsOnlyThat()
    {
        AutoResetEvent[] signals = [new(false), new(false), new(false)];
        After(() => signals[2].Set());

        LongWaiter.Run(isHooked, () => WaitHandle.WaitAny(signals).ShouldBe(2)).ShouldHaveWaited();

        signals.ShouldAllBe(signal => !signal.WaitOne(0));
    }

    [Fact]
    public void WaitAll_TakesNothing_UntilItHasAll()
    {
        AutoResetEvent[] signals = [new(true), new(false)];
        After(() =>
        {
            // The first is still there for others, though it has been waited for longer than a second.
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

        var waiter = LongWaiter.Run(isHooked, () => never.WaitOne(s_past).ShouldBeFalse());

        waiter.ShouldHaveWaited();
        WaitHandle.WaitTimeout.ShouldBe(LongWaiter.Run(isHooked, () => WaitHandle.WaitAny([never], 1100)).Result);
    }

    [Fact]
    public void MonitorWait_WakesForThePulse_AndHoldsTheLockAgain()
    {
        var gate = new object();
        After(() =>
        {
            lock (gate)
            {
                Monitor.Pulse(gate);
            }
        });

        LongWaiter.Run(isHooked, () =>
        {
            lock (gate)
            {
                Monitor.Wait(gate).ShouldBeTrue();
                Monitor.IsEntered(gate).ShouldBeTrue();
            }
        }).ShouldHaveWaited();

        Monitor.TryEnter(gate).ShouldBeTrue();
        Monitor.Exit(gate);
    }

    [Fact]
    public void MonitorWait_TimesOut_WhenNobodyPulses()
    {
        var gate = new object();

        LongWaiter.Run(isHooked, () =>
        {
            lock (gate)
            {
                Monitor.Wait(gate, s_past).ShouldBeFalse();
                Monitor.IsEntered(gate).ShouldBeTrue();
            }
        }).ShouldHaveWaited();
    }

    [Fact]
    public void Interrupt_EndsTheWait()
    {
        using var never = new ManualResetEvent(false);

        LongWaiter.Run(
            isHooked,
            () =>
            {
                Should.Throw<ThreadInterruptedException>(() => never.WaitOne());

                // Only once: nothing of it is left for the next wait.
                never.WaitOne(1).ShouldBeFalse();
            },
            interruptAfter: s_past).ShouldHaveWaited();
    }

    private static void After(Action action) =>
        new Thread(() =>
        {
            Thread.Sleep(s_past);
            action();
        })
        { IsBackground = true }.Start();
}

[SideBySide]
public sealed class HookedLongWaitTests() : LongWaitTests(isHooked: true);

[SideBySide]
public sealed class PlainLongWaitTests() : LongWaitTests(isHooked: false);
