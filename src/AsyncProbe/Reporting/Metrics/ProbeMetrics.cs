using System.Diagnostics;
using System.Diagnostics.Metrics;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>All instruments of the meter <c>AsyncProbe</c>. The runtime's <c>dotnet.thread_pool.*</c> cover the rest of the pool.</summary>
internal sealed class ProbeMetrics
{
    public const string MeterName = "AsyncProbe";

    private readonly HeldInstruments _requests;
    private readonly HeldInstruments _operations;
    private readonly Counter<long> _calls;
    private readonly Counter<double> _time;

    private readonly MetricFigures _figures;
    private readonly Faults _faults;

    public ProbeMetrics(IMeterFactory meters, MetricFigures figures, Faults faults)
    {
        _figures = figures;
        _faults = faults;
        var meter = meters.Create(MeterName);
        _requests = new HeldInstruments(meter, MetricDefinitions.Requests, faults);
        _operations = new HeldInstruments(meter, MetricDefinitions.Operations, faults);
        _calls = Counter<long>(meter, MetricDefinitions.BlockingCalls);
        _time = Counter<double>(meter, MetricDefinitions.BlockingTime);
        Observe(
            meter, MetricDefinitions.Explained,
            () => figures.Explained.Select(row => new Measurement<double>(row.Share, TagsOf(row.Endpoint))));
        Observe(meter, MetricDefinitions.QueueDelay, () => One(figures.QueueDelay));
        Observe(meter, MetricDefinitions.State, () => figures.States.Select(state => new Measurement<long>(state.Value, state.Tags)));
        Observe<long>(meter, MetricDefinitions.BuildInfo, () => [new Measurement<long>(1, figures.Build)]);

        // Up-down counters, because these figures add up across replicas.
        ObserveSum(meter, MetricDefinitions.BlockedThreads, () => figures.BlockedThreads);
        ObserveSum(meter, MetricDefinitions.Threads, () => figures.Threads);
        ObserveSum(meter, MetricDefinitions.Pending, () => figures.Pending);
    }

    /// <summary>A request or an operation has ended.</summary>
    public void OnEnded(EndpointTotals totals, HeldSplit split)
    {
        var instruments = totals.IsOperation ? _operations : _requests;
        if (!instruments.IsEnabled)
        {
            return;
        }

        var tags = TagsOf(totals);
        instruments.Record(split, in tags);
    }

    public void Add(WaitKind kind, long waits)
    {
        if (!_calls.Enabled)
        {
            return;
        }

        try
        {
            _calls.Add(waits, new KeyValuePair<string, object?>(WaitTags.Kind, kind.Name()));
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    public void AddTime()
    {
        if (!_time.Enabled)
        {
            return;
        }

        foreach (var (series, more) in _figures.BlockingTime.TakeUnrecorded())
        {
            try
            {
                _time.Add(more.TotalSeconds, series.Tags);
            }
            catch (Exception e)
            {
                _faults.Note(e);
            }
        }
    }

    /// <summary>Whether the meter's counter of blocked time has a listener.</summary>
    public bool IsTimeRecorded => _time.Enabled;

    // An exception in a callback would stop the collection of every other meter's figures.
    private Func<IEnumerable<Measurement<T>>> Guarded<T>(Func<IEnumerable<Measurement<T>>> observe)
        where T : struct => () =>
    {
        try
        {
            return [.. observe()];
        }
        catch (Exception e)
        {
            _faults.Note(e);
            return [];
        }
    };

    private void Observe<T>(Meter meter, MetricDefinition metric, Func<IEnumerable<Measurement<T>>> observe)
        where T : struct => meter.CreateObservableGauge(metric.Name, Guarded(observe), metric.Unit, metric.Description);

    private void ObserveSum(Meter meter, MetricDefinition metric, Func<long?> observe) =>
        meter.CreateObservableUpDownCounter(metric.Name, Guarded(() => One(observe())), metric.Unit, metric.Description);

    private static IEnumerable<Measurement<T>> One<T>(T? value)
        where T : struct => value is { } known ? [new Measurement<T>(known)] : [];

    private static TagList TagsOf(EndpointTotals totals)
    {
        var tags = default(TagList);
        MetricTags.AddEndpoint(ref tags, totals);
        return tags;
    }

    private static Counter<T> Counter<T>(Meter meter, MetricDefinition metric)
        where T : struct => meter.CreateCounter<T>(metric.Name, metric.Unit, metric.Description);
}
