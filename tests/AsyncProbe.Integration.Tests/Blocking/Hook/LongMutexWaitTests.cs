namespace AsyncProbe.Integration.Tests.Blocking.Hook;

/// <summary>
/// A wait of seconds for a mutex. The waiting code must not notice the hook: every test runs with it and without it, and expects the same.
/// </summary>
public abstract class LongMutexWaitTests(bool isHooked)
{
    [Fact]
    public void AbandonedMutex_Throws_AndIsTaken()
    {
        using var mutex = new Mutex();
        using var taken = new ManualResetEvent(false);
        var owner = new Thread(() =>
        {
            mutex.WaitOne();
            taken.Set();
            Thread.Sleep(LongWaiter.Past);
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
            Thread.Sleep(LongWaiter.Past);
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
            Thread.Sleep(LongWaiter.Past);
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
}

[SideBySide]
public sealed class HookedLongMutexWaitTests() : LongMutexWaitTests(isHooked: true);

[SideBySide]
public sealed class PlainLongMutexWaitTests() : LongMutexWaitTests(isHooked: false);
