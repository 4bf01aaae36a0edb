using System.Diagnostics.Tracing;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Starts the event sessions that observe a process's threads, and reads them. Blocks the calling thread.</summary>
internal static class RuntimeTrace
{
    // The limits of a session, far above what the largest application needs.
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(30);
    private const long MostBytes = 512 * 1024 * 1024;

    // What the runtime lists at the end of a session: JIT-compiled and precompiled methods, their modules, and their maps to IL offsets.
    private const ulong Loader = 0x8;
    private const ulong Jit = 0x10;
    private const ulong Precompiled = 0x20;
    private const ulong AtEnd = 0x100;
    private const ulong IlToNativeMap = 0x20000;

    /// <summary>Begins to sample the stack of every thread, about once a millisecond.</summary>
    public static RuntimeSession SampleThreads(RuntimeAddress runtime) =>
        RuntimeSession.Start(runtime, "Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational, rundown: 0, s_longest);

    /// <summary>Begins a session that lists every compiled method at its end.</summary>
    public static RuntimeSession ListMethods(RuntimeAddress runtime) =>
        // A session needs a provider. This one doesn't exist, so it has no events.
        RuntimeSession.Start(
            runtime, "AsyncProbe-None", EventLevel.Critical, Loader | Jit | Precompiled | AtEnd | IlToNativeMap, s_longest);

    /// <summary>Reads a session to its end.</summary>
    /// <param name="untilItsEnd">Returns when the session should end. Runs on another thread.</param>
    /// <param name="start">Starts that thread, and returns an action that waits for its end.</param>
    /// <returns>The number of bytes read.</returns>
    public static long Read(RuntimeSession session, Action untilItsEnd, IEventSink sink, Func<Action, Action> start)
    {
        // The runtime answers the stop request only after everything has been read, so another thread must send it.
        Exception? failure = null;
        var waitForEnd = start(() =>
        {
            try
            {
                try
                {
                    untilItsEnd();
                }
                finally
                {
                    session.Stop();
                }
            }
            catch (Exception e)
            {
                failure = e;
            }
        });
        using var reader = new NettraceReader(session.Events, sink, MostBytes, s_longest);
        reader.Read();
        waitForEnd();
        return failure is null
            ? reader.Position
            : throw new IOException($"The runtime did not end the session: {failure.Message}", failure);
    }
}
