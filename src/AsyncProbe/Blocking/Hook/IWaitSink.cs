using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Where <see cref="BlockingContext"/> tells of waits.</summary>
internal interface IWaitSink
{
    /// <summary>Finds who is to blame for a wait that goes on. Not called on the thread that waits.</summary>
    LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId);

    /// <summary>
    /// A wait has ended. Called on the blocking thread, which may hold the user's locks: no code of the user may run in it.
    /// </summary>
    /// <param name="duration">How long the wait lasted.</param>
    /// <param name="stack">Where.</param>
    void End(Duration duration, StackTrace stack);
}
