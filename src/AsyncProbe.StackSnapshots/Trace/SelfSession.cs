using System.Diagnostics.Tracing;
using AsyncProbe.Common;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>
/// A short EventPipe session of the process with itself, over the runtime's diagnostics socket. It writes no files. It blocks the calling
/// thread and uses no pool thread, because the pool may be starved.
/// </summary>
internal static class SelfSession
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

    /// <summary>Samples every thread's stack, about once a millisecond.</summary>
    /// <returns>The number of bytes read.</returns>
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

    /// <summary>Samples in the same way until a callback returns.</summary>
    /// <returns>The number of bytes read.</returns>
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

    /// <summary>Lists every compiled method. Much more expensive than sampling, because it reads megabytes of events.</summary>
    /// <returns>The number of bytes read.</returns>
    public static long ListMethods(IEventSink sink) =>
        // A session needs a provider. This one doesn't exist, so it has no events.
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

        // The runtime answers the stop request only after everything has been read, so another thread must send it.
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
