using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// The wait hook: the runtime hands every managed wait of the thread that carries it to <see cref="Wait"/>, on that thread and with its
/// stack. Awaits post their continuations to it, which costs a hop over the pool: that is why it is armed and not always on, and why few
/// requests are armed at a time.
/// </summary>
[FrameOwner(FrameOwner.Hook)]
internal sealed class BlockingContext : SynchronizationContext
{
    // Wait and what captures, on top of each stack.
    private const int OwnFrames = 2;

    // Taking a stack may itself wait for a lock of the runtime.
    [ThreadStatic]
    private static bool t_isNoting;

    [ThreadStatic]
    private static StackBudget t_budget;

    private readonly IWaitSink _sink;
    private readonly Duration _minimum;

    /// <param name="sink">Hears of the waits.</param>
    /// <param name="minimum">The shortest wait it hears of.</param>
    public BlockingContext(IWaitSink sink, Duration minimum)
    {
        _sink = sink;
        _minimum = minimum;
        SetWaitNotificationRequired();
    }

    // A copy would no longer be recognised as ours on departure.
    public override SynchronizationContext CreateCopy() => this;

    // Whether the hook is there when the callback runs is up to the request that arrives with it: it may have been disarmed meanwhile.
    public override void Post(SendOrPostCallback d, object? state)
    {
        var work = new PostedCallback(d, state, Timestamp.Now());
        ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
        HopRescue.Watch(work);
    }

    public override void Send(SendOrPostCallback d, object? state) => d(state);

    public override int Wait(IntPtr[] waitHandles, bool waitAll, int millisecondsTimeout)
    {
        if (millisecondsTimeout == 0 || t_isNoting)
        {
            return WaitHelper(waitHandles, waitAll, millisecondsTimeout);
        }

        // A signalled handle never blocks, even if the thread is preempted.
        if (WaitHelper(waitHandles, waitAll, 0) is var atOnce and not WaitHandle.WaitTimeout)
        {
            return atOnce;
        }

        // Once and to the end: a wait that is begun again goes to the end of a fair queue, and misses a pulse that comes in between.
        var stack = t_budget.TryTake(Timestamp.Now()) ? TakeStack() : null;
        var wait = HookedWait.Begin(_sink, stack);
        try
        {
            return WaitHelper(waitHandles, waitAll, millisecondsTimeout);
        }
        finally
        {
            if (wait.End() is var duration && duration >= _minimum)
            {
                Report(duration, stack);
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static StackTrace? TakeStack()
    {
        t_isNoting = true;
        try
        {
            return new StackTrace(OwnFrames, fNeedFileInfo: false);
        }
        catch (ThreadInterruptedException)
        {
            // Meant for the user's wait, which is about to begin.
            Thread.CurrentThread.Interrupt();
            return null;
        }
        catch (Exception)
        {
            // The user's wait comes first; a stack that could not be taken is one row less.
            return null;
        }
        finally
        {
            t_isNoting = false;
        }
    }

    private void Report(Duration duration, StackTrace? stack)
    {
        if (stack is not null)
        {
            t_budget.GiveBack();
        }

        stack ??= TakeStack();
        if (stack is null)
        {
            return;
        }

        t_isNoting = true;
        try
        {
            _sink.End(duration, stack);
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
