using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Where <see cref="BlockingContext"/> tells of waits.</summary>
internal interface IWaitSink
{
    /// <summary>Reads the stack of a wait that goes on. Not called on the thread that waits.</summary>
    LiveWait? Find(StackTrace stack, RequestProbe probe, int osThreadId);

    /// <summary>Called on the blocking thread, which may hold the user's locks: no code of the user may run in it.</summary>
    /// <param name="duration">How long the wait lasted.</param>
    /// <param name="stack">Where.</param>
    void OnEnded(Duration duration, StackTrace stack);
}
