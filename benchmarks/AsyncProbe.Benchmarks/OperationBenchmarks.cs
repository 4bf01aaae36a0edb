using System.Diagnostics;
using AsyncProbe.Accounting;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Benchmarks;

/// <summary>
/// What measuring an operation costs: the difference from an activity that another listener receives and ignores. A source that no one
/// names costs nothing.
/// </summary>
[InProcess]
[MemoryDiagnoser]
public class OperationBenchmarks : IDisposable
{
    private const int Times = 1000;

    private readonly ActivitySource _unheard = new("Benchmarks.Unheard");
    private readonly ActivitySource _heard = new("Benchmarks.Heard");
    private readonly ActivitySource _measured = new("Benchmarks.Measured");
    private readonly ActivityListener _listener = new();
    private readonly ServiceProvider _provider;

    public OperationBenchmarks()
    {
        _listener.ShouldListenTo = source => source == _heard;
        _listener.Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.PropagationData;
        _listener.ActivityStarted = static _ => { };
        _listener.ActivityStopped = static _ => { };
        ActivitySource.AddActivityListener(_listener);

        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton<IHostEnvironment>(new Production());
        services.AddAsyncProbe(o =>
        {
            o.Detection = BlockingDetection.Off;
            o.ActivitySources.Add(_measured.Name);
        });
        _provider = services.BuildServiceProvider();
        _provider.GetRequiredService<OperationListener>().Start();
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _listener.Dispose();
        _provider.Dispose();
        _unheard.Dispose();
        _heard.Dispose();
        _measured.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark(OperationsPerInvoke = Times)]
    public Task SourceThatNobodyNames() => Task.Run(() => Run(_unheard));

    [Benchmark(Baseline = true, OperationsPerInvoke = Times)]
    public Task ActivityAlone() => Task.Run(() => Run(_heard));

    [Benchmark(OperationsPerInvoke = Times)]
    public Task Operation() => Task.Run(() => Run(_measured));

    [Benchmark(OperationsPerInvoke = Times)]
    public Task AwaitInAnActivity() => Task.Run(() => AwaitAsync(_heard));

    [Benchmark(OperationsPerInvoke = Times)]
    public Task AwaitInAnOperation() => Task.Run(() => AwaitAsync(_measured));

    private static void Run(ActivitySource source)
    {
        for (var i = 0; i < Times; i++)
        {
            source.StartActivity("work")?.Dispose();
        }
    }

    private static async Task AwaitAsync(ActivitySource source)
    {
        using var activity = source.StartActivity("work");
        for (var i = 0; i < Times; i++)
        {
            await Task.Yield();
        }
    }
}
