using System.Runtime.CompilerServices;
using AsyncProbe.Blocking;
using AsyncProbe.Requests;
using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>
/// What a reported wait costs its thread, below sixty frames of the application. The handle is set, so nothing waits: the hook takes the
/// time, the stack and the site all the same, because its minimum is 0 here. The cost is the difference to the wait without the hook.
/// </summary>
[InProcess]
[MemoryDiagnoser]
public class ReportedWaitBenchmarks
{
    private const int Waits = 1000;
    private const int Depth = 60;

    private readonly ManualResetEvent _set = new(true);
    private readonly BlockingContext _reporting = HookOf(minimum: 0);
    private readonly BlockingContext _silent = HookOf(Nanoseconds.PerSecond);

    [Benchmark(Baseline = true, OperationsPerInvoke = Waits)]
    public Task WithoutTheHook() => RunAsync(null);

    [Benchmark(OperationsPerInvoke = Waits)]
    public Task TooShortToReport() => RunAsync(_silent);

    [Benchmark(OperationsPerInvoke = Waits)]
    public Task Reported() => RunAsync(_reporting);

    private static BlockingContext HookOf(long minimum)
    {
        var own = OwnCode.Of([typeof(ReportedWaitBenchmarks).Assembly.GetName().Name!]);
        return new BlockingContext(new WaitRecorder(new BlockingSites(500, new AllowRules([])), new Frames(own), new LiveWaits()), minimum);
    }

    private Task RunAsync(BlockingContext? hook) => Task.Run(async () =>
    {
        // Inside an async method, so that the request's context stays here.
        await Task.CompletedTask;
        var probe = new RequestProbe { Hook = hook };
        var saved = ThreadSegments.Enter(probe);
        try
        {
            Descend(Depth);
        }
        finally
        {
            ThreadSegments.Leave(probe, saved);
        }
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Descend(int frames)
    {
        if (frames > 1)
        {
            // Something after the call: otherwise it may become a jump, and the frame is gone.
            return Descend(frames - 1) + 1;
        }

        for (var i = 0; i < Waits; i++)
        {
            _set.WaitOne();
        }

        return 1;
    }
}
