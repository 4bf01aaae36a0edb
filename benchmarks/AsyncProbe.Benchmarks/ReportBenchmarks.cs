using AsyncProbe.Reporting.Metrics;
using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>The report at <c>/_threadpool</c> for a large app: built and serialised, but not sent.</summary>
[InProcess]
[MemoryDiagnoser]
public class ReportBenchmarks : IDisposable
{
    private readonly LargeApp _plain = new(includesStacks: false);
    private readonly LargeApp _withStacks = new(includesStacks: true);

    [GlobalCleanup]
    public void Dispose()
    {
        _plain.Dispose();
        _withStacks.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    public object Build() => _plain.Reports.Build(null);

    [Benchmark]
    public int Snapshot() => SizeOf(_plain);

    [Benchmark]
    public int SnapshotWithStacks() => SizeOf(_withStacks);

    /// <summary>The text of a scrape for the same app.</summary>
    [Benchmark]
    public int Metrics()
    {
        var buffer = _plain.Metrics.Make(PrometheusFormat.OpenMetrics);
        var size = buffer.WrittenCount;
        _plain.Metrics.Buffers.GiveBack(buffer);
        return size;
    }

    private static int SizeOf(LargeApp app)
    {
        var buffer = app.Text.Make(null);
        var size = buffer.WrittenCount;
        app.Text.Buffers.GiveBack(buffer);
        return size;
    }
}
