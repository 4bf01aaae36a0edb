using System.Diagnostics;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Waits on purpose and checks that the wait was seen. A detector that isn't installed looks just like a clean app.</summary>
internal static class SelfTest
{
    private const int WaitMs = 5;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(2);

    public static async Task<HookState> RunAsync()
    {
        var sink = new Sink();
        var probe = new RequestProbe { Armed = new ArmedRequest(new BlockingContext(sink, Duration.Millisecond)) };
        try
        {
            await Task.Run(() => WaitUnder(probe)).WaitAsync(s_timeout).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return HookState.NoThread;
        }

        return Judge(sink.Seen, sink.IsNamed);
    }

    /// <param name="seen">The length of the deliberate wait as the hook saw it.</param>
    /// <param name="isNamed">Whether a frame of its stack had a method.</param>
    public static HookState Judge(Duration seen, bool isNamed) =>
        seen < Duration.FromMilliseconds(WaitMs - 1) ? HookState.Blind
        : isNamed ? HookState.Passed
        : HookState.NoMethods;

    private static async Task WaitUnder(RequestProbe probe)
    {
        var saved = ThreadSegments.Enter(probe);
        try
        {
            // The hook must survive this await.
            await Task.Yield();

            // A ManualResetEvent, because the slim form spins before it waits. In a cold process it would spin for longer than the whole
            // wait.
            using var never = new ManualResetEvent(false);
            never.WaitOne(WaitMs);
        }
        finally
        {
            ThreadSegments.Exit(probe, saved);
        }
    }

    private sealed class Sink : IWaitSink
    {
        private Duration _seen;

        public Duration Seen => Counter.Read(ref _seen);

        public bool IsNamed { get; private set; }

        public LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId) => null;

        public void End(Duration blocked, StackTrace stack)
        {
            IsNamed = CallStacks.IsNamed(stack);
            Counter.Write(ref _seen, blocked);
        }
    }
}
