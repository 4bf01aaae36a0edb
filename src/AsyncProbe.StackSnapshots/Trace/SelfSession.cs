using AsyncProbe.Common;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>
/// A short EventPipe session of the process with itself, over the runtime's diagnostics socket. It writes no files. It blocks the calling
/// thread and uses no pool thread, because the pool may be starved.
/// </summary>
internal static class SelfSession
{
    /// <summary>How many bytes all sessions have read, for the benchmark.</summary>
    public static long BytesRead { get; private set; }

    /// <summary>Samples every thread's stack, about once a millisecond, until a callback returns.</summary>
    public static void Sample(Action watch, SampleSink sink)
    {
        using var session = RuntimeTrace.SampleThreads(DiagnosticsSocket.Address);
        sink.Begin();
        Read(
            session,
            () =>
            {
                watch();
                sink.End();
            },
            sink);
    }

    /// <summary>Lists every compiled method. Much more expensive than sampling, because it reads megabytes of events.</summary>
    public static void ListMethods(IEventSink sink)
    {
        using var session = RuntimeTrace.ListMethods(DiagnosticsSocket.Address);
        Read(session, static () => { }, sink);
    }

    private static void Read(RuntimeSession session, Action untilItsEnd, IEventSink sink) =>
        BytesRead += RuntimeTrace.Read(session, untilItsEnd, sink, end => OwnThread.StartOnce(OwnThreadRole.SessionEnd, end).WaitForEnd);
}
