using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>
/// A short EventPipe session of the process with itself, over the runtime's diagnostics socket. Nothing is written to a file. Blocks the
/// calling thread, and uses no pool thread: the pool may be starved.
/// </summary>
internal static class SelfSession
{
    // At most; the runtime takes what the events need and gives it back with the session's end.
    private const int BufferMB = 64;

    // Of a session, far above what the largest application needs.
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(30);
    private const long MostBytes = 512 * 1024 * 1024;

    // What is known of methods at the session's end: JIT-compiled and precompiled ones, their modules, and the maps to the source's
    // instructions.
    private const long Loader = 0x8;
    private const long Jit = 0x10;
    private const long Precompiled = 0x20;
    private const long AtEnd = 0x100;
    private const long IlToNativeMap = 0x20000;

    /// <summary>Samples every thread's stack, about once a millisecond.</summary>
    /// <returns>Bytes read.</returns>
    public static long Sample(TimeSpan duration, StackCounts counts) =>
        Run(
            Sampler(),
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
            Sampler(),
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
            new EventPipeSessionConfiguration(
                [new("AsyncProbe-None", EventLevel.Critical)], BufferMB, Loader | Jit | Precompiled | AtEnd | IlToNativeMap, requestStackwalk: false),
            () => { },
            () => { },
            sink);

    private static EventPipeSessionConfiguration Sampler() =>
        new([new("Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational)], BufferMB, rundownKeyword: 0);

    private static long Run(EventPipeSessionConfiguration configuration, Action begin, Action untilItsEnd, IEventSink sink)
    {
        using var session = DiagnosticsSocket.Connect().StartEventPipeSession(configuration);
        if (session.EventStream.CanTimeout)
        {
            session.EventStream.ReadTimeout = (int)s_longest.TotalMilliseconds;
        }

        begin();

        // The runtime answers the request to stop only when everything has been read, so another thread has to ask.
        Exception? failure = null;
        var stop = new Thread(() =>
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
        })
        { IsBackground = true, Name = "AsyncProbe snapshot end" };
        stop.UnsafeStart();
        using var reader = new NettraceReader(session.EventStream, sink, MostBytes, s_longest);
        reader.Read();
        stop.Join();
        return failure is null ? reader.Position : throw new IOException($"The runtime did not end the session: {failure.Message}", failure);
    }
}
