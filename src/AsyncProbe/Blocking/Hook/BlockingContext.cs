using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// The wait hook. The runtime passes every managed wait of a thread that carries it to <see cref="Wait"/>, on that thread and with its
/// stack. Awaits post their continuations to the hook, which costs a hop through the pool. That is why requests carry it only when armed,
/// and why few are armed at a time.
/// </summary>
[FrameOwner(FrameOwner.Hook)]
internal sealed class BlockingContext : SynchronizationContext
{
    // Wait and TakeStack are on top of each stack.
    private const int OwnFrames = 2;

    // Taking a stack may itself wait for a lock of the runtime, which must not be reported.
    [ThreadStatic]
    private static bool t_isNoting;

    [ThreadStatic]
    private static StackBudget t_budget;

    private readonly IWaitSink _sink;
    private readonly Duration _minimum;

    /// <param name="minimum">The shortest wait to report.</param>
    public BlockingContext(IWaitSink sink, Duration minimum)
    {
        _sink = sink;
        _minimum = minimum;
        SetWaitNotificationRequired();
    }

    // On departure, a copy would no longer be recognised as ours.
    public override SynchronizationContext CreateCopy() => this;

    // The callback doesn't install the hook. The request that arrives with it decides that, because it may have been disarmed since.
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

        // Wait once, with the full timeout. A restarted wait goes to the end of a fair queue, and misses a pulse that comes in between.
        var stack = t_budget.TryTake(Timestamp.Now()) ? TakeStack() : null;
        var wait = TryBegin(stack);
        try
        {
            return WaitHelper(waitHandles, waitAll, millisecondsTimeout);
        }
        finally
        {
            if (wait?.End(_minimum) is { } blocked && blocked >= _minimum)
            {
                Report(blocked, stack);
            }
        }
    }

    // Null when the process is out of memory. The user's wait still runs.
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

    // The runtime would rethrow an exception on another thread, which ends the process. The flag is set because the pool and our own code
    // may wait for locks here, which would be reported as the application's.
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

    // Runs the callback as an await without a context would. A chain of callbacks must not exhaust the stack, so near its end the thread
    // waits until there is memory to queue the callback.
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
            // The interrupt is meant for the user's wait, which is about to begin.
            Thread.CurrentThread.Interrupt();
            return null;
        }
        catch (Exception)
        {
            // The user's wait comes first. A missing stack costs only one row.
            return null;
        }
        finally
        {
            t_isNoting = false;
        }
    }

    private void Report(Duration blocked, StackTrace? stack)
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
            _sink.End(blocked, stack);
        }
        catch (ThreadInterruptedException)
        {
            // The interrupt is meant for the user's next wait.
            Thread.CurrentThread.Interrupt();
        }
        catch (Exception)
        {
            // The user's code comes first; a missing report costs only one row.
        }
        finally
        {
            t_isNoting = false;
        }
    }
}
