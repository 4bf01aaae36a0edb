using AsyncProbe.Blocking.Hook;
using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>
/// What the wait hook costs a request with ten suspended awaits: nothing when it is not armed, a pool hop per await when it is, and next to
/// nothing when there is no place for it. All run the same endpoint.
/// </summary>
[InProcess]
[MemoryDiagnoser]
public class ArmedBenchmarks : IDisposable
{
    private const int Awaits = 10;

    private readonly ProbedPipeline _plain = new(_ => YieldAsync(), isProbed: false, emitsHeaders: false);
    private readonly ProbedPipeline _off = new(_ => YieldAsync(), isProbed: true, emitsHeaders: false);
    private readonly ProbedPipeline _clean = new(_ => YieldAsync(), isProbed: true, emitsHeaders: false, BlockingDetection.WhenBlocking);
    private readonly ProbedPipeline _armed = new(_ => YieldAsync(), isProbed: true, emitsHeaders: false, BlockingDetection.Always);

    [GlobalCleanup]
    public void Dispose()
    {
        _plain.Dispose();
        _off.Dispose();
        _clean.Dispose();
        _armed.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark(OperationsPerInvoke = PoolThread.Sends)]
    public Task WithoutAsyncProbe() => PoolThread.RunAsync(_plain.SendAsync);

    [Benchmark(Baseline = true, OperationsPerInvoke = PoolThread.Sends)]
    public Task DetectionOff() => PoolThread.RunAsync(_off.SendAsync);

    [Benchmark(OperationsPerInvoke = PoolThread.Sends)]
    public Task UnarmedWhenBlocking() => PoolThread.RunAsync(_clean.SendAsync);

    [Benchmark(OperationsPerInvoke = PoolThread.Sends)]
    public Task Armed() => PoolThread.RunAsync(_armed.SendAsync);

    /// <summary>So many requests already carry the hook that this one doesn't.</summary>
    [Benchmark(OperationsPerInvoke = PoolThread.Sends)]
    public async Task AlwaysWithoutAPlace()
    {
        var taken = 0;
        while (ArmedPermits.TryTake())
        {
            taken++;
        }

        await PoolThread.RunAsync(_armed.SendAsync);
        for (; taken > 0; taken--)
        {
            ArmedPermits.Release();
        }
    }

    private static async Task YieldAsync()
    {
        for (var i = 0; i < Awaits; i++)
        {
            await Task.Yield();
        }
    }
}
