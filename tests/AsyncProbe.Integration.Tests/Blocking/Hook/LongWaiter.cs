using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Blocking.Hook;

/// <summary>A thread with or without the hook, and the result of its wait.</summary>
internal sealed class LongWaiter : IWaitSink
{
    /// <summary>The hook used to split waits after a second. This is longer than that, even for a thread that starts late.</summary>
    public static readonly TimeSpan Past = TimeSpan.FromMilliseconds(2000);

    private readonly bool _isHooked;
    private TimeSpan _lasted;
    private Duration _told;

    private LongWaiter(bool isHooked) => _isHooked = isHooked;

    public int Result { get; private set; }

    public static LongWaiter Run(bool isHooked, Action wait, TimeSpan? interruptAfter = null) =>
        Run(
            isHooked,
            () =>
            {
                wait();
                return 0;
            },
            interruptAfter);

    public static LongWaiter Run(bool isHooked, Func<int> wait, TimeSpan? interruptAfter = null)
    {
        var waiter = new LongWaiter(isHooked);
        Exception? thrown = null;
        var thread = new Thread(() =>
        {
            if (isHooked)
            {
                SynchronizationContext.SetSynchronizationContext(new BlockingContext(waiter, Duration.Millisecond));
            }

            var began = Stopwatch.GetTimestamp();
            try
            {
                waiter.Result = wait();
            }
            catch (Exception e)
            {
                thrown = e;
            }

            waiter._lasted = Stopwatch.GetElapsedTime(began);
        })
        { IsBackground = true };
        thread.Start();
        if (interruptAfter is { } after)
        {
            Thread.Sleep(after);
            thread.Interrupt();
        }

        thread.Join(ProbedApp.Timeout).ShouldBeTrue("the wait never ended");
        thrown.ShouldBeNull();
        return waiter;
    }

    /// <summary>Does something on another thread once a waiter has waited for a long time.</summary>
    public static void After(Action action) =>
        new Thread(() =>
        {
            Thread.Sleep(Past);
            action();
        })
        { IsBackground = true }.Start();

    /// <summary>Runs code on the calling thread, with or without the hook.</summary>
    public static void Under(bool isHooked, Action code)
    {
        if (isHooked)
        {
            SynchronizationContext.SetSynchronizationContext(new BlockingContext(new LongWaiter(isHooked), Duration.Millisecond));
        }

        code();
    }

    public void ShouldHaveWaited()
    {
        _lasted.TotalMilliseconds.ShouldBeGreaterThan(1100);
        Counter.Read(ref _told).ShouldBeGreaterThanOrEqualTo(_isHooked ? Duration.Second : Duration.Zero);
    }

    public LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId) => null;

    public void End(Duration blocked, StackTrace stack) =>
        Counter.Raise(ref _told, blocked);
}
