using AsyncProbe.Common;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>
/// A short EventPipe session of the process with itself, over the runtime's diagnostics socket. It writes no files. It blocks the calling
/// thread and uses no pool thread, because the pool may be starved.
/// </summary>
internal static class SelfSession
{
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
        Run(() => RuntimeTrace.ListMethods(DiagnosticsSocket.Address), () => { }, () => { }, sink);

    private static RuntimeSession Sampler() => RuntimeTrace.SampleThreads(DiagnosticsSocket.Address);

    private static long Run(Func<RuntimeSession> start, Action begin, Action untilItsEnd, IEventSink sink)
    {
        using var session = start();
        begin();
        return RuntimeTrace.Read(session, untilItsEnd, sink, end => OwnThread.StartOnce(OwnThreadRole.SessionEnd, end).WaitForEnd);
    }
}
