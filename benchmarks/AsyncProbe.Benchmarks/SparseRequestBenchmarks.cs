using System.Diagnostics;
using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>
/// Requests with a pause of 150 µs before each, so that no earlier reading is fresh and every clock is read. Both figures include the
/// pause: the cost is the difference between them.
/// </summary>
[InProcess]
[MemoryDiagnoser]
public class SparseRequestBenchmarks : IDisposable
{
    private static readonly long s_pause = Stopwatch.Frequency * 150 / 1_000_000;

    private readonly ProbedPipeline _plain = new(_ => Task.CompletedTask, isProbed: false, emitsHeaders: false);
    private readonly ProbedPipeline _probed = new(_ => Task.CompletedTask, isProbed: true, emitsHeaders: false);

    [GlobalCleanup]
    public void Dispose()
    {
        _plain.Dispose();
        _probed.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = PoolThread.Sends)]
    public Task WithoutAsyncProbe() => PoolThread.RunAsync(() => SendAfterPause(_plain));

    [Benchmark(OperationsPerInvoke = PoolThread.Sends)]
    public Task WithAsyncProbe() => PoolThread.RunAsync(() => SendAfterPause(_probed));

    private static Task SendAfterPause(ProbedPipeline pipeline)
    {
        var end = Stopwatch.GetTimestamp() + s_pause;
        while (Stopwatch.GetTimestamp() < end)
        {
        }

        return pipeline.SendAsync();
    }
}
