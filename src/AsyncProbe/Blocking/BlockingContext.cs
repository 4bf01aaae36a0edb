using System.Diagnostics;
using AsyncProbe.Pool;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>
/// The wait hook: the runtime hands every managed wait of the thread that carries it to <see cref="Wait"/>, on that thread and with its
/// stack. Awaits post their continuations to it, which costs a hop over the pool: that is why it is armed and not always on.
/// </summary>
internal sealed class BlockingContext : SynchronizationContext
{
    private const int LongWaitMs = 1000;

    // Wait and what captures, on top of each stack.
    private const int OwnFrames = 2;

    // Taking a stack may itself wait for a lock of the runtime.
    [ThreadStatic]
    private static bool t_isNoting;

    private readonly IWaitSink _sink;
    private readonly long _minimum;

    /// <param name="sink">Hears of the waits.</param>
    /// <param name="minimum">The shortest wait it hears of, in nanoseconds.</param>
    public BlockingContext(IWaitSink sink, long minimum)
    {
        _sink = sink;
        _minimum = minimum;
        SetWaitNotificationRequired();
    }

    // A copy would no longer be recognised as ours on departure.
    public override SynchronizationContext CreateCopy() => this;

    public override void Post(SendOrPostCallback d, object? state) =>
        ThreadPool.QueueUserWorkItem(static work => work.Self.Run(work.Callback, work.State), (Self: this, Callback: d, State: state), preferLocal: false);

    public override void Send(SendOrPostCallback d, object? state) => Run(d, state);

    public override int Wait(IntPtr[] waitHandles, bool waitAll, int millisecondsTimeout)
    {
        if (millisecondsTimeout == 0 || t_isNoting)
        {
            return WaitHelper(waitHandles, waitAll, millisecondsTimeout);
        }

        // What is free already is waited for by nobody, though its taker lose its core on the way.
        if (WaitHelper(waitHandles, waitAll, 0) is var atOnce and not WaitHandle.WaitTimeout)
        {
            return atOnce;
        }

        var startedAt = Nanoseconds.Now();
        var stoppedBefore = Stopped(startedAt);
        object? ofLong = null;
        try
        {
            if (millisecondsTimeout is > 0 and <= LongWaitMs)
            {
                return WaitHelper(waitHandles, waitAll, millisecondsTimeout);
            }

            // A wait that times out has taken nothing from its handles, so it can be begun again; in between, a hang gets its name.
            var result = WaitHelper(waitHandles, waitAll, LongWaitMs);
            if (result != WaitHandle.WaitTimeout)
            {
                return result;
            }

            ofLong = NoteLong();
            return WaitHelper(waitHandles, waitAll, Remaining(millisecondsTimeout, startedAt));
        }
        finally
        {
            var now = Nanoseconds.Now();
            var duration = now - startedAt - Math.Max(0, Stopped(now) - stoppedBefore);
            if (duration >= _minimum)
            {
                NoteEnded(duration, ofLong);
            }
        }
    }

    // A process that was stopped and continued has waited for nobody.
    private static long Stopped(long now) => ProcessStops.Until(now, ProcessClock.GcPauseNs());

    private static int Remaining(int timeout, long startedAt)
    {
        if (timeout == Timeout.Infinite)
        {
            return Timeout.Infinite;
        }

        var elapsed = (Nanoseconds.Now() - startedAt) / Nanoseconds.PerMillisecond;
        return (int)Math.Max(0, timeout - elapsed);
    }

    private void Run(SendOrPostCallback callback, object? state)
    {
        var before = Current;
        if (before is null)
        {
            SetSynchronizationContext(this);
        }

        try
        {
            callback(state);
        }
        finally
        {
            if (before is null && Current == this)
            {
                SetSynchronizationContext(null);
            }
        }
    }

    private object? NoteLong()
    {
        t_isNoting = true;
        try
        {
            return _sink.OnLong(new StackTrace(OwnFrames, fNeedFileInfo: false));
        }
        catch (ThreadInterruptedException)
        {
            // Meant for the user's wait, which goes on.
            Thread.CurrentThread.Interrupt();
            return null;
        }
        catch (Exception)
        {
            // The user's wait comes first; a stack that could not be read is one row less.
            return null;
        }
        finally
        {
            t_isNoting = false;
        }
    }

    private void NoteEnded(long duration, object? ofLong)
    {
        t_isNoting = true;
        try
        {
            _sink.OnEnded(duration, new StackTrace(OwnFrames, fNeedFileInfo: false), ofLong);
        }
        catch (ThreadInterruptedException)
        {
            // As above, for the user's next wait.
            Thread.CurrentThread.Interrupt();
        }
        catch (Exception)
        {
            // As above.
        }
        finally
        {
            t_isNoting = false;
        }
    }
}
