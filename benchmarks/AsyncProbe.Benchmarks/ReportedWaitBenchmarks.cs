using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>
/// What the hook costs a thread below sixty frames of the application: when the handle is free and the thread doesn't wait, and after a
/// wait that is worth reporting, with its stack and site. The wait itself is left out, because its length varies by more than the cost.
/// </summary>
[InProcess]
[MemoryDiagnoser]
public class ReportedWaitBenchmarks
{
    private const int Waits = 1000;
    private const int Depth = 60;

    private readonly ManualResetEvent _set = new(true);
    private readonly WaitRecorder _recorder = new(
        new BlockingSites(500, new AllowRules([])), new Frames(UserCode.Create([typeof(ReportedWaitBenchmarks).Assembly.GetName().Name!])));

    private readonly BlockingContext _hook;

    public ReportedWaitBenchmarks() => _hook = new BlockingContext(_recorder, Duration.Millisecond);

    [Benchmark(Baseline = true, OperationsPerInvoke = Waits)]
    public Task WithoutTheHook() => RunAsync(null, Take);

    [Benchmark(OperationsPerInvoke = Waits)]
    public Task NothingToWaitFor() => RunAsync(_hook, Take);

    [Benchmark(OperationsPerInvoke = Waits)]
    public Task Report() => RunAsync(_hook, TellOfAWait);

    private Task RunAsync(BlockingContext? hook, Action step) => Task.Run(async () =>
    {
        // This must run inside an async method, so that the request's context doesn't leak.
        await Task.CompletedTask;
        var probe = new RequestProbe { Armed = hook is null ? null : new ArmedRequest(hook) };
        var saved = ThreadSegments.Enter(probe);
        try
        {
            Descend(Depth, step);
        }
        finally
        {
            ThreadSegments.Exit(probe, saved);
        }
    });

    private void Take() => _set.WaitOne();

    private void TellOfAWait() => _recorder.End(2 * Duration.Millisecond, new StackTrace(1, fNeedFileInfo: false));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Descend(int frames, Action step)
    {
        if (frames > 1)
        {
            // Do something after the call: otherwise the compiler may turn it into a jump without a frame.
            return Descend(frames - 1, step) + 1;
        }

        for (var i = 0; i < Waits; i++)
        {
            step();
        }

        return 1;
    }
}
