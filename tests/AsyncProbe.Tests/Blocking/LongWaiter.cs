using System.Diagnostics;
using AsyncProbe.Blocking;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Blocking;

/// <summary>A thread with or without the hook, and what it came to.</summary>
internal sealed class LongWaiter : IWaitSink
{
    private readonly bool _isHooked;
    private readonly TimeSpan _notesFor;
    private TimeSpan _lasted;
    private long _named;
    private long _told;

    private LongWaiter(bool isHooked, TimeSpan notesFor) => (_isHooked, _notesFor) = (isHooked, notesFor);

    public int Result { get; private set; }

    public static LongWaiter Run(bool isHooked, Action wait, TimeSpan? interruptAfter = null, TimeSpan notesFor = default) =>
        Run(
            isHooked,
            () =>
            {
                wait();
                return 0;
            },
            interruptAfter,
            notesFor);

    public static LongWaiter Run(bool isHooked, Func<int> wait, TimeSpan? interruptAfter = null, TimeSpan notesFor = default)
    {
        var waiter = new LongWaiter(isHooked, notesFor);
        Exception? thrown = null;
        var thread = new Thread(() =>
        {
            if (isHooked)
            {
                SynchronizationContext.SetSynchronizationContext(new BlockingContext(waiter, Nanoseconds.PerMillisecond));
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

    public void ShouldHaveWaited()
    {
        // Or the wait was not begun again, and the test shows nothing.
        _lasted.TotalMilliseconds.ShouldBeGreaterThan(1100);
        Interlocked.Read(ref _named).ShouldBe(_isHooked ? 1 : 0);
        Interlocked.Read(ref _told).ShouldBeGreaterThan(_isHooked ? 1000 * Nanoseconds.PerMillisecond : -1);
    }

    public object? OnLong(StackTrace stack)
    {
        Interlocked.Increment(ref _named);
        Thread.Sleep(_notesFor);
        return this;
    }

    public void OnEnded(long duration, StackTrace stack, object? ofLong)
    {
        Interlocked.Exchange(ref _told, Math.Max(duration, Interlocked.Read(ref _told)));
    }
}
