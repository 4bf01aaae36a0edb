using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>The waits that the hook sees, however short.</summary>
public sealed class WaitHookTests
{
    private const int Rounds = 100;

    // Sometimes such a thread meets a lock of the runtime and really waits, for example while it compiles.
    private const int OfTheRuntime = 30;

    [Fact]
    public void Free_IsNotWaitedFor()
    {
        using var set = new ManualResetEvent(true);
        using var mutex = new Mutex();

        WaitsOf(() =>
        {
            for (var i = 0; i < Rounds; i++)
            {
                set.WaitOne();
                mutex.WaitOne();
                mutex.ReleaseMutex();
                WaitHandle.WaitAll([set, mutex]);
                mutex.ReleaseMutex();
            }
        }).ShouldBeLessThan(OfTheRuntime, "three hundred waits had nothing to wait for");
    }

    [Fact]
    public void Taken_IsWaitedFor()
    {
        using var never = new ManualResetEvent(false);

        WaitsOf(() => never.WaitOne(1)).ShouldBeInRange(1, OfTheRuntime);
    }

    private static int WaitsOf(Action code)
    {
        var heard = new Heard();
        var thread = new Thread(() =>
        {
            SynchronizationContext.SetSynchronizationContext(new BlockingContext(heard, minimum: Duration.Zero));
            code();
        });
        thread.Start();
        thread.Join(ProbedApp.Timeout).ShouldBeTrue("the wait never ended");
        return heard.Count;
    }

    private sealed class Heard : IWaitSink
    {
        public int Count { get; private set; }

        public LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId) => null;

        public void End(Duration blocked, StackTrace stack) => Count++;
    }
}
