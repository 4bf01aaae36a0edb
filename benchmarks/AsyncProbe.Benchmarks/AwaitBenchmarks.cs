using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>What a suspended await costs inside a probed request: the context leaves one thread and arrives on another.</summary>
[InProcess]
[MemoryDiagnoser]
public class AwaitBenchmarks : IDisposable
{
    private const int Awaits = 1000;

    private readonly ProbedPipeline _plain = new(_ => YieldAsync(), isProbed: false, emitsHeaders: false);
    private readonly ProbedPipeline _probed = new(_ => YieldAsync(), isProbed: true, emitsHeaders: false);

    [GlobalCleanup]
    public void Dispose()
    {
        _plain.Dispose();
        _probed.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Awaits)]
    public Task Outside() => Task.Run(_plain.SendAsync);

    [Benchmark(OperationsPerInvoke = Awaits)]
    public Task InsideAProbedRequest() => Task.Run(_probed.SendAsync);

    private static async Task YieldAsync()
    {
        for (var i = 0; i < Awaits; i++)
        {
            await Task.Yield();
        }
    }
}
