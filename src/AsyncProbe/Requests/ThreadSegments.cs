using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// Follows a request over its threads. The runtime calls the handler whenever the request's execution context arrives on a thread or
/// leaves it, <c>ConfigureAwait(false)</c> and inlined continuations included; code outside a probed request pays nothing.
/// </summary>
internal static class ThreadSegments
{
    // A lambda, because a delegate to an instance is called without the detour that one to a static method takes.
    private static readonly AsyncLocal<RequestProbe?> s_current = AppContext.TryGetSwitch("AsyncProbe.ContextNotifications", out var isOn)
        && !isOn
        ? new(change => OnSet(in change))
        : new(change => OnChanged(change.PreviousValue, change.CurrentValue));

    /// <summary>The request whose context flows here, or null.</summary>
    public static RequestProbe? Current => s_current.Value;

    /// <summary>
    /// Opens the request's first segment. To be called inside an async method, so that the value never leaks into its caller's context.
    /// </summary>
    /// <returns>What <see cref="Exit"/> restores.</returns>
    public static ExecutionContext? Enter(RequestProbe probe)
    {
        var saved = ExecutionContext.Capture();
        EnterHere(probe);
        return saved;
    }

    /// <summary>
    /// The same in the middle of a flow that has no end of its own: whoever calls it puts back what was there with <see cref="Set"/>.
    /// </summary>
    /// <returns>Whether it will be heard when the flow leaves the thread.</returns>
    public static bool EnterHere(RequestProbe probe)
    {
        Set(probe);
        if (ThreadSlots.Mine is not { IsPoolThread: true } slot)
        {
            probe.Begin(Timestamp.Now());
            return false;
        }

        // The arrival has just looked at the clock.
        probe.Begin(slot.StartedAt);
        return slot.Probe == probe && !ThreadClock.IsWithdrawn;
    }

    /// <summary>Makes what follows in this flow the request's, or nobody's.</summary>
    public static void Set(RequestProbe? probe) => s_current.Value = probe;

    /// <summary>Closes the open segment, and makes what follows in this flow another's, or nobody's.</summary>
    /// <param name="probe">Whose segment it is.</param>
    /// <param name="next">Whose the flow is from now on.</param>
    /// <param name="saved">A context of that flow, to be put back; null when there is none.</param>
    /// <returns>The moment of leaving.</returns>
    public static Timestamp ExitTo(RequestProbe probe, RequestProbe? next, ExecutionContext? saved)
    {
        if (saved is not null)
        {
            ExecutionContext.Restore(saved);
        }
        else
        {
            Set(next);
        }

        return TimeOfLeaving(probe);
    }

    /// <summary>Measures nothing more of a request in this flow.</summary>
    public static void Drop(RequestProbe probe)
    {
        if (Current == probe)
        {
            s_current.Value = null;
        }
    }

    /// <summary>Closes the open segment and puts the context back.</summary>
    /// <returns>The moment of leaving.</returns>
    public static Timestamp Exit(RequestProbe probe, ExecutionContext? saved)
    {
        if (saved is null)
        {
            // The caller had suppressed the flow of its context, so there is none to restore.
            s_current.Value = null;
        }
        else
        {
            // Cheaper than setting the value to null, which would store an entry and allocate for it.
            ExecutionContext.Restore(saved);
        }

        return TimeOfLeaving(probe);
    }

    // The departure has just looked at the clock, unless this is no pool thread, or nobody was told of it.
    private static Timestamp TimeOfLeaving(RequestProbe probe) =>
        ThreadSlots.Mine is { IsPoolThread: true } && !ThreadClock.IsWithdrawn ? probe.DepartedAt : Timestamp.Now();

    // A runtime that does not tell when a context arrives on a thread; a switch plays it.
    private static void OnSet(in AsyncLocalValueChangedArgs<RequestProbe?> change)
    {
        if (!change.ThreadContextChanged)
        {
            OnChanged(change.PreviousValue, change.CurrentValue);
        }
    }

    // An exception in here would end the process. The few things below that allocate (a thread's first slot, a long request's interim
    // figures) can fail; the request then goes on unmeasured on this thread.
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

    // Nothing in here may lock or log, or allocate beyond the slot, once per thread, and what keeps an operation with its activity, once
    // per operation that leaves its thread.
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
            now = slot.Depart(left, now);
            Uninstall(left, slot);
        }

        if (arrived is not null)
        {
            slot.Arrive(arrived, now);
            Install(arrived, slot, now);
        }
    }

    /// <summary>
    /// Puts the request's wait hook on the calling thread, on every arrival: an await drops what was put there before. Never over a context
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
        if (left is not null && ThreadSlots.Mine is { } slot)
        {
            Uninstall(left, slot);
        }
    }

    private static void Uninstall(RequestProbe probe, ThreadSlot slot)
    {
        slot.Armed?.Depart(slot);

        // Also where the request was disarmed meanwhile: an async method puts back what it found when it began.
        if (probe.Armed is { } armed && SynchronizationContext.Current == armed.Context)
        {
            SynchronizationContext.SetSynchronizationContext(null);
        }
    }
}
