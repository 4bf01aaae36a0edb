using System.Diagnostics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// A managed wait of the calling thread, from start to end. Other threads inspect it while it lasts, so that a hang has a name.
/// </summary>
internal sealed class HookedWait : OpenWait
{
    /// <summary>
    /// How long a wait lasts before it counts as a hang. Its endpoint is then armed, and its place is looked up while it lasts.
    /// </summary>
    public static Duration LongFrom => Duration.Second;

    private readonly IWaitSink _sink;
    private readonly ThreadSlot? _slot = ThreadSlots.Mine;
    private readonly Timestamp _startedAt;
    private readonly Duration _stoppedBefore;

    // Null if no clock can tell.
    private readonly Duration? _blockedBefore;

    private LiveWait? _found;
    private bool _isRead;

    private HookedWait(IWaitSink sink, StackTrace? stack)
    {
        (_sink, Stack) = (sink, stack);
        _startedAt = Timestamp.Now();
        _stoppedBefore = Stopped(_startedAt);
        _slot?.BeginWait(this);
        if (ThreadClock.HasCpu && _slot is { Probe: not null })
        {
            _blockedBefore = _slot.Mark(_startedAt).BlockedOutsideGc;
        }
    }

    public StackTrace? Stack { get; }

    /// <summary>Shows the thread as waiting.</summary>
    /// <param name="sink">Can find the code to blame in the stack.</param>
    /// <param name="stack">The stack of the wait; null when the thread has recently taken too many stacks for short waits.</param>
    public static HookedWait Begin(IWaitSink sink, StackTrace? stack) => new(sink, stack);

    /// <summary>Finds the code to blame; null when unknown. Never call it on the thread that waits.</summary>
    public LiveWait? Attribute(RequestProbe probe, int osThreadId)
    {
        if (!Volatile.Read(ref _isRead) && Stack is { } taken)
        {
            _found = _sink.Attribute(taken, probe, osThreadId);
            Volatile.Write(ref _isRead, true);
        }

        return _found;
    }

    /// <summary>Ends the wait.</summary>
    /// <param name="minimum">The shortest wait that matters. For a shorter one, the thread's clocks aren't read again.</param>
    /// <returns>
    /// How long the thread was blocked: not the time for which it then waited for a core. Without a clock, or below the minimum, how long
    /// the wait lasted.
    /// </returns>
    public Duration End(Duration minimum)
    {
        var now = Timestamp.Now();
        _slot?.EndWait(now);
        var lasted = now - _startedAt - (Stopped(now) - _stoppedBefore).OrZero();
        return _slot is not null && _blockedBefore is { } before && lasted >= minimum
            ? _slot.Mark(now).BlockedOutsideGc - before
            : lasted;
    }

    // Time for which the process was stopped doesn't count as waiting.
    private static Duration Stopped(Timestamp now) => ProcessStops.Until(now, ProcessClock.GcPause());
}
