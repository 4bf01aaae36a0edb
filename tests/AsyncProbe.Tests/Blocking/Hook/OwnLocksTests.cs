using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>The hook's own waits are not reported as the application's.</summary>
public sealed class OwnLocksTests
{
    [Fact]
    public async Task Post_TellsOfNoWait_WhereItWaitsForALockOfItsOwn()
    {
        var gate = typeof(HopRescue).GetField("s_gate", BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null)!;
        var pause = typeof(HopRescue).GetField("s_pause", BindingFlags.NonPublic | BindingFlags.Static)!;
        await Eventually.TrueAsync(() => (int)pause.GetValue(null)! == int.MaxValue, "the thread that looks after hops stays");
        var sink = new Sink();
        using var hasRun = new ManualResetEventSlim();
        Thread poster;
        lock (gate)
        {
            poster = new Thread(() => Post(new BlockingContext(sink, Duration.Zero), hasRun)) { IsBackground = true };
            poster.Start();
            SpinWait.SpinUntil(() => poster.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin), ProbedApp.Timeout).ShouldBeTrue();
        }

        poster.Join(ProbedApp.Timeout).ShouldBeTrue();
        hasRun.Wait(ProbedApp.Timeout).ShouldBeTrue();
        sink.Waits.ShouldBe(0);
    }

    [Fact]
    public void Continuations_AreRecognised_AsTheRuntimePostsThem()
    {
        AwaitCallbacks.OfTask.ShouldNotBeNull();
        AwaitCallbacks.OfYield.ShouldNotBeNull();
        AwaitCallbacks.OfTask.ShouldNotBeSameAs(AwaitCallbacks.OfYield);
    }

    private static void Post(BlockingContext hook, ManualResetEventSlim hasRun)
    {
        SynchronizationContext.SetSynchronizationContext(hook);
        hook.Post(_ => hasRun.Set(), null);
    }

    private sealed class Sink : IWaitSink
    {
        private int _waits;

        public int Waits => Volatile.Read(ref _waits);

        public LiveWait? Attribute(StackTrace stack, RequestProbe probe, int osThreadId) => null;

        public void End(Duration blocked, StackTrace stack) => Interlocked.Increment(ref _waits);
    }
}
