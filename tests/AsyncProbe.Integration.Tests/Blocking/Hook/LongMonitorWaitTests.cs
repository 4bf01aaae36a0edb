namespace AsyncProbe.Integration.Tests.Blocking.Hook;

/// <summary>
/// A wait of seconds for a pulse or an interrupt. The waiting code must not notice the hook: every test runs with it and without it,
/// and expects the same result.
/// </summary>
public abstract class LongMonitorWaitTests(bool isHooked)
{
    [Fact]
    public void MonitorWait_WakesForThePulse_AndHoldsTheLockAgain()
    {
        var gate = new object();
        LongWaiter.After(() =>
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
                Monitor.Wait(gate, LongWaiter.Past).ShouldBeFalse();
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

                // The interrupt arrives only once: nothing of it is left for the next wait.
                never.WaitOne(1).ShouldBeFalse();
            },
            interruptAfter: LongWaiter.Past).ShouldHaveWaited();
    }
}

[SideBySide]
public sealed class HookedLongMonitorWaitTests() : LongMonitorWaitTests(isHooked: true);

[SideBySide]
public sealed class PlainLongMonitorWaitTests() : LongMonitorWaitTests(isHooked: false);
