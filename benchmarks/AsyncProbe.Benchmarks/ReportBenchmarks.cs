using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Benchmarks;

/// <summary>A snapshot of <c>/_threadpool</c> of a large app: built and serialised, not sent.</summary>
[InProcess]
[MemoryDiagnoser]
public class ReportBenchmarks
{
    private readonly LargeApp _plain = new(includesStacks: false);
    private readonly LargeApp _withStacks = new(includesStacks: true);

    [Benchmark]
    public object Build() => _plain.Reports.Build(null);

    [Benchmark]
    public int Snapshot() => SizeOf(_plain);

    [Benchmark]
    public int SnapshotWithStacks() => SizeOf(_withStacks);

    private static int SizeOf(LargeApp app)
    {
        var buffer = app.Text.Make(null);
        var size = buffer.WrittenCount;
        app.Text.GiveBack(buffer);
        return size;
    }
}
