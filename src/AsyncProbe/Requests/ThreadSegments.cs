using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// Follows a request across its threads. The runtime calls the handler whenever the request's execution context arrives on a thread or
/// leaves it, including <c>ConfigureAwait(false)</c> and inlined continuations. Code outside a probed request pays nothing.
/// </summary>
internal static class ThreadSegments
{
    // A lambda, because calling a delegate to a static method takes an extra indirection.
    private static readonly AsyncLocal<RequestProbe?> s_current = AppContext.TryGetSwitch("AsyncProbe.ContextNotifications", out var isOn)
        && !isOn
        ? new(change => OnSet(in change))
        : new(change => OnChanged(change.PreviousValue, change.CurrentValue));

    /// <summary>The request whose context flows here, or null.</summary>
    public static RequestProbe? Current => s_current.Value;

    /// <summary>
    /// Opens the request's first segment. Call it inside an async method, so that the value never leaks into the caller's context.
    /// </summary>
    /// <returns>The context for <see cref="Exit"/> to restore.</returns>
    public static ExecutionContext? Enter(RequestProbe probe)
    {
        var saved = ExecutionContext.Capture();
        EnterHere(probe);
        return saved;
    }

    /// <summary>
    /// Opens a segment in the middle of a flow that doesn't restore its context by itself. The caller must restore the previous value with
    /// <see cref="Set"/>.
    /// </summary>
    /// <returns>Whether the handler runs when the flow leaves the thread.</returns>
    public static bool EnterHere(RequestProbe probe)
    {
        Set(probe);
        if (ThreadSlots.Mine is not { IsPoolThread: true } slot)
        {
            probe.Begin(Timestamp.Now());
            return false;
        }

        // The arrival has just read the clock.
        probe.Begin(slot.StartedAt);
        return slot.Probe == probe && !ThreadClock.IsWithdrawn;
    }

    /// <summary>Makes the rest of this flow belong to the request, or to no request.</summary>
    public static void Set(RequestProbe? probe) => s_current.Value = probe;

    /// <summary>Closes the open segment, and makes the rest of this flow belong to another request, or to none.</summary>
    /// <param name="probe">The request whose segment ends.</param>
    /// <param name="next">The request that the flow belongs to from now on; null for none.</param>
    /// <param name="saved">A context of that flow to restore; null if there is none.</param>
    /// <returns>When the segment ended.</returns>
    public static Timestamp ExitTo(RequestProbe probe, RequestProbe? next, ExecutionContext? saved)
    {
        var slot = SlotOf(probe);
        if (saved is not null)
        {
            ExecutionContext.Restore(saved);
        }
        else
        {
            Set(next);
        }

        return TimeOfLeaving(probe, slot);
    }

    /// <summary>Stops measuring a request in this flow.</summary>
    public static void Drop(RequestProbe probe)
    {
        if (Current == probe)
        {
            s_current.Value = null;
        }
    }

    /// <summary>Closes the open segment and restores the context.</summary>
    /// <returns>When the segment ended.</returns>
    public static Timestamp Exit(RequestProbe probe, ExecutionContext? saved)
    {
        var slot = SlotOf(probe);
        if (saved is null)
        {
            // The caller suppressed the flow of its context, so no context needs restoring.
            s_current.Value = null;
        }
        else
        {
            // Cheaper than setting the value to null, which would allocate an entry for it.
            ExecutionContext.Restore(saved);
        }

        return TimeOfLeaving(probe, slot);
    }

    // Null if this is not a pool thread, or runs another flow.
    private static ThreadSlot? SlotOf(RequestProbe probe) =>
        ThreadSlots.Mine is { IsPoolThread: true } slot && slot.Probe == probe ? slot : null;

    // The departure has just read the clock, unless the handler did not run.
    private static Timestamp TimeOfLeaving(RequestProbe probe, ThreadSlot? slot) =>
        slot is not null && slot.Probe != probe ? slot.DepartedAt : Timestamp.Now();

    // Simulates, behind a switch, a runtime that doesn't notify us when a context arrives on a thread.
    private static void OnSet(in AsyncLocalValueChangedArgs<RequestProbe?> change)
    {
        if (!change.ThreadContextChanged)
        {
            OnChanged(change.PreviousValue, change.CurrentValue);
        }
    }

    // An exception here would end the process. The few allocations below (a thread's first slot, a long request's interim figures, a
    // counted request's late ones) can fail; the request then continues unmeasured on this thread.
    private static void OnChanged(RequestProbe? left, RequestProbe? arrived)
    {
        try
        {
            Change(left, arrived);
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            TakeOff(left);
        }
    }

    // Must not lock, log or allocate. The exceptions are the slot, once per thread, and the property that keeps an operation with its
    // activity, once per operation that leaves its thread.
    private static void Change(RequestProbe? left, RequestProbe? arrived)
    {
        var slot = ThreadSlots.GetOrAdd();
        if (!slot.IsPoolThread)
        {
            return;
        }

        var now = Timestamp.Now();
        if (left is not null)
        {
            left.Operation?.MakeFindable();
            slot.Depart(left, now);
            now = slot.DepartedAt;
            Uninstall(left, slot);
        }

        if (arrived is not null)
        {
            slot.Arrive(arrived, now);
            Install(arrived, slot, now);
        }
    }

    /// <summary>
    /// Puts the request's wait hook on the calling thread. Runs on every arrival, because an await drops the hook. Never replaces a context
    /// that user code set.
    /// </summary>
    public static void Install(RequestProbe probe)
    {
        if (probe.Armed is not null && ThreadSlots.Mine is { IsPoolThread: true } slot && slot.Probe == probe)
        {
            Install(probe, slot, Timestamp.Now());
        }
    }

    private static void Install(RequestProbe probe, ThreadSlot slot, Timestamp now) => probe.Armed?.Arrive(slot, now);

    // The hook must not stay on a thread that the request has left.
    private static void TakeOff(RequestProbe? left)
    {
        try
        {
            if (left is not null && ThreadSlots.Mine is { } slot)
            {
                Uninstall(left, slot);
            }
        }
        catch (Exception)
        {
            // There isn't even memory for what the process needs once, so the thread keeps the hook until the request ends.
            Faults.NoteQuietly();
        }
    }

    private static void Uninstall(RequestProbe probe, ThreadSlot slot)
    {
        slot.Armed?.Depart(slot);

        // Needed even if the request was disarmed in between: an async method restores the context it found when it began.
        if (probe.Armed is { } armed && SynchronizationContext.Current == armed.Context)
        {
            SynchronizationContext.SetSynchronizationContext(null);
        }
    }
}
