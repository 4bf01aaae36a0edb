using System.Diagnostics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// A managed wait of the calling thread, from its begin to its end; others look at it meanwhile, so that a hang has a name.
/// </summary>
internal sealed class HookedWait : OpenWait
{
    /// <summary>
    /// A wait that has lasted for so long counts as a hang: its endpoint is armed, and its place is looked for, while it lasts.
    /// </summary>
    public static Duration LongFrom => Duration.Second;

    private readonly IWaitSink _sink;
    private readonly ThreadSlot? _slot = ThreadSlots.Mine;
    private readonly Timestamp _startedAt;
    private readonly Duration _stoppedBefore;
    private LiveWait? _found;
    private bool _isRead;

    private HookedWait(IWaitSink sink, StackTrace? stack)
    {
        (_sink, Stack) = (sink, stack);
        _startedAt = Timestamp.Now();
        _stoppedBefore = Stopped(_startedAt);
        _slot?.BeginWait(this);
    }

    public StackTrace? Stack { get; }

    /// <summary>Shows the thread as waiting.</summary>
    /// <param name="sink">Can read the stack.</param>
    /// <param name="stack">Where; null when the thread has taken too many for short waits lately.</param>
    public static HookedWait Begin(IWaitSink sink, StackTrace? stack) => new(sink, stack);

    /// <summary>Who is to blame; null when nobody can tell. Never on the thread that waits.</summary>
    public LiveWait? Attribute(RequestProbe probe, int osThreadId)
    {
        if (!Volatile.Read(ref _isRead) && Stack is { } taken)
        {
            _found = _sink.Attribute(taken, probe, osThreadId);
            Volatile.Write(ref _isRead, true);
        }

        return _found;
    }

    /// <summary>The wait is over.</summary>
    /// <returns>How long it has lasted.</returns>
    public Duration End()
    {
        var now = Timestamp.Now();
        _slot?.EndWait(now);
        return now - _startedAt - (Stopped(now) - _stoppedBefore).OrZero();
    }

    // A process that was stopped and continued has waited for nobody.
    private static Duration Stopped(Timestamp now) => ProcessStops.Until(now, ProcessClock.GcPause());
}
