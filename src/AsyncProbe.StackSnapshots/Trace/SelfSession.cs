using System.Diagnostics.Tracing;
using AsyncProbe.Common;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>
/// A short EventPipe session of the process with itself, over the runtime's diagnostics socket. Nothing is written to a file. Blocks the
/// calling thread, and uses no pool thread: the pool may be starved.
/// </summary>
internal static class SelfSession
{
    // Of a session, far above what the largest application needs.
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(30);
    private const long MostBytes = 512 * 1024 * 1024;

    // What is known of methods at the session's end: JIT-compiled and precompiled ones, their modules, and the maps to the source's
    // instructions.
    private const ulong Loader = 0x8;
    private const ulong Jit = 0x10;
    private const ulong Precompiled = 0x20;
    private const ulong AtEnd = 0x100;
    private const ulong IlToNativeMap = 0x20000;

    /// <summary>Samples every thread's stack, about once a millisecond.</summary>
    /// <returns>Bytes read.</returns>
    public static long Sample(TimeSpan duration, StackCounts counts) =>
        Run(
            Sampler,
            counts.Begin,
            () =>
            {
                Thread.Sleep(duration);
                counts.End();
            },
            counts);

    /// <summary>The same until a callback returns.</summary>
    /// <returns>Bytes read.</returns>
    public static long SampleWindow(Action watch, WindowStacks stacks) =>
        Run(
            Sampler,
            stacks.Begin,
            () =>
            {
                watch();
                stacks.End();
            },
            stacks);

    /// <summary>Lists every compiled method. Far more expensive than sampling: megabytes of events.</summary>
    /// <returns>Bytes read.</returns>
    public static long ListMethods(IEventSink sink) =>
        // A session needs a provider; this one has no events.
        Run(
            () => RuntimeSession.Start(
                DiagnosticsSocket.Address,
                "AsyncProbe-None", EventLevel.Critical, Loader | Jit | Precompiled | AtEnd | IlToNativeMap, s_longest),
            () => { },
            () => { },
            sink);

    private static RuntimeSession Sampler() =>
        RuntimeSession.Start(DiagnosticsSocket.Address, "Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational, rundown: 0, s_longest);

    private static long Run(Func<RuntimeSession> start, Action begin, Action untilItsEnd, IEventSink sink)
    {
        using var session = start();
        begin();

        // The runtime answers the request to stop only when everything has been read, so another thread has to ask.
        Exception? failure = null;
        var stop = OwnThread.StartOnce(OwnThreadRole.SessionEnd, () =>
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
        stop.WaitForEnd();
        return failure is null
            ? reader.Position
            : throw new IOException($"The runtime did not end the session: {failure.Message}", failure);
    }
}
