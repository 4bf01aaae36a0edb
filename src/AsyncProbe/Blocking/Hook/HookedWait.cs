using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>A managed wait that goes on, so that a hang has a name while it lasts. The thread takes the stack when it begins to wait; who
/// asks reads it.</summary>
/// <param name="sink">Can read the stack.</param>
/// <param name="stack">Where; null when the thread has taken too many for short waits lately.</param>
internal sealed class HookedWait(IWaitSink sink, StackTrace? stack) : OpenWait
{
    /// <summary>A wait that has lasted for so long counts as a hang: its endpoint is armed, and its place is looked for, while it lasts.</summary>
    public static Duration LongFrom => Duration.Second;

    private LiveWait? _found;
    private bool _isRead;

    public StackTrace? Stack { get; } = stack;

    /// <summary>Who is to blame; null when nobody can tell. Never on the thread that waits.</summary>
    public LiveWait? Find(RequestProbe probe, int osThreadId)
    {
        if (!Volatile.Read(ref _isRead) && Stack is { } taken)
        {
            _found = sink.Find(taken, probe, osThreadId);
            Volatile.Write(ref _isRead, true);
        }

        return _found;
    }
}
