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

    // The request that arrives with the callback decides whether the hook is there: it may have been disarmed in the meantime.
    public override void Post(SendOrPostCallback d, object? state)
    {
        if (!TryQueue(d, state))
        {
            RunInPlace(d, state);
        }
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
        var wait = TryBegin(stack);
        try
        {
            return WaitHelper(waitHandles, waitAll, millisecondsTimeout);
        }
        finally
        {
            if (wait?.End() is { } duration && duration >= _minimum)
            {
                Report(duration, stack);
            }
        }
    }

    // Null when the process lacks the memory for it. The user's wait goes on.
    private HookedWait? TryBegin(StackTrace? stack)
    {
        try
        {
            return HookedWait.Begin(_sink, stack);
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            return null;
        }
    }

    // An exception from here would end the process, because the runtime rethrows it on another thread. And the pool and we may wait for
    // locks here, which would be reported as the application's.
    private static bool TryQueue(SendOrPostCallback d, object? state)
    {
        var wasNoting = t_isNoting;
        t_isNoting = true;
        try
        {
            return PostedCallback.TryQueue(d, state);
        }
        finally
        {
            t_isNoting = wasNoting;
        }
    }

    // As an await without a context runs. A chain of them must not use up the stack; then the thread waits for memory instead.
    private static void RunInPlace(SendOrPostCallback d, object? state)
    {
        while (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            Thread.Sleep(1);
            if (TryQueue(d, state))
            {
                return;
            }
        }

        var before = Current;
        SetSynchronizationContext(null);
        try
        {
            d(state);
        }
        finally
        {
            SetSynchronizationContext(before);
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
