using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Waits on purpose and looks whether it was seen: a detector that is not installed looks just like a clean app.</summary>
internal static class SelfTest
{
    public const string Passed = "passed";

    private const int WaitMs = 5;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(2);

    /// <returns>"passed", or "failed: " and why.</returns>
    public static async Task<string> RunAsync()
    {
        var sink = new Sink();
        var probe = new RequestProbe { Armed = new ArmedRequest(new BlockingContext(sink, Duration.Millisecond)) };
        try
        {
            await Task.Run(() => WaitUnder(probe)).WaitAsync(s_timeout).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return "failed: no pool thread was free to run it within 2 s";
        }

        return sink.Seen >= Duration.FromMilliseconds(WaitMs - 1)
            ? Passed
            : "failed: a deliberate wait of 5 ms on a pool thread was not seen, so call sites will be missing; blocked time is still counted";
    }

    private static async Task WaitUnder(RequestProbe probe)
    {
        var saved = ThreadSegments.Enter(probe);
        try
        {
            // The hook must survive this.
            await Task.Yield();

            // A handle and not its slim form, which spins for a while before it waits: longer than the whole wait in a cold process.
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

        public LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId) => null;

        public void End(Duration duration, StackTrace stack) => Counter.Write(ref _seen, duration);
    }
}
