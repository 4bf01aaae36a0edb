using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>What measuring a request costs: the difference from the pipeline without AsyncProbe.</summary>
[InProcess]
[MemoryDiagnoser]
public class MiddlewareBenchmarks : IDisposable
{
    private readonly ProbedPipeline _plain = new(_ => Task.CompletedTask, isProbed: false, emitsHeaders: false);
    private readonly ProbedPipeline _probed = new(_ => Task.CompletedTask, isProbed: true, emitsHeaders: false);
    private readonly ProbedPipeline _withHeaders = new(_ => Task.CompletedTask, isProbed: true, emitsHeaders: true);

    [GlobalCleanup]
    public void Dispose()
    {
        _plain.Dispose();
        _probed.Dispose();
        _withHeaders.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = PoolThread.Sends)]
    public Task WithoutAsyncProbe() => PoolThread.RunAsync(_plain.SendAsync);

    [Benchmark(OperationsPerInvoke = PoolThread.Sends)]
    public Task WithAsyncProbe() => PoolThread.RunAsync(_probed.SendAsync);

    [Benchmark(OperationsPerInvoke = PoolThread.Sends)]
    public Task WithAsyncProbeAndHeaders() => PoolThread.RunAsync(_withHeaders.SendAsync);
}
