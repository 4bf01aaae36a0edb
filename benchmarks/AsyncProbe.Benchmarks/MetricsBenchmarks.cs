using System.Diagnostics.Metrics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests.Counts;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Benchmarks;

/// <summary>What metrics cost at the end of a request, without and with a listener.</summary>
[InProcess]
[MemoryDiagnoser]
public class MetricsBenchmarks : IDisposable
{
    private readonly EndpointTotals _totals = new("GET /x", "/x", "GET");
    private readonly HeldSplit _split = new(Micro(1200), Micro(900), Micro(200), Duration.Zero, Micro(100));
    private readonly List<IDisposable> _disposables = [];
    private readonly ProbeMetrics _unheard;
    private readonly ProbeMetrics _heard;

    public MetricsBenchmarks()
    {
        _unheard = Create();
        var isStarted = false;
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                // Starting a listener publishes existing instruments.
                if (isStarted && instrument.Meter.Name == ProbeMetrics.MeterName)
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>(static (_, _, _, _) => { });
        listener.Start();
        _disposables.Add(listener);
        isStarted = true;
        _heard = Create();
        isStarted = false;
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _disposables.ForEach(d => d.Dispose());
        GC.SuppressFinalize(this);
    }

    [Benchmark(Baseline = true)]
    public void End() => _totals.End(_split, _split, 1, Micro(2000), RequestOutcome.None);

    [Benchmark]
    public void EndWithMetricsUnheard()
    {
        _unheard.OnEnded(_totals, _split);
        _totals.End(_split, _split, 1, Micro(2000), RequestOutcome.None);
    }

    [Benchmark]
    public void EndWithMetricsHeard()
    {
        _heard.OnEnded(_totals, _split);
        _totals.End(_split, _split, 1, Micro(2000), RequestOutcome.None);
    }

    private static Duration Micro(int microseconds) => Duration.FromMicroseconds(microseconds);

    private ProbeMetrics Create()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton<IHostEnvironment>(new Production());
        services.AddAsyncProbe();
        var provider = services.BuildServiceProvider();
        _disposables.Add(provider);
        return provider.GetRequiredService<ProbeMetrics>();
    }
}
