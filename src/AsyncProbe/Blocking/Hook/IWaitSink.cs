using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Receives the waits that <see cref="BlockingContext"/> sees.</summary>
internal interface IWaitSink
{
    /// <summary>Finds the code to blame for a wait in progress. Not called on the thread that waits.</summary>
    LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId);

    /// <summary>
    /// Called when a wait has ended, on the blocking thread. That thread may hold the user's locks, so no user code may run in it.
    /// </summary>
    /// <param name="blocked">How long the thread was blocked in it.</param>
    /// <param name="stack">The stack of the wait.</param>
    void End(Duration blocked, StackTrace stack);
}
